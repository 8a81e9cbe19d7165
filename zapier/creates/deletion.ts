import { NotFoundError } from '../core.ts';
import type { RecordKind } from '../record.ts';
import type { Shown } from './action.ts';

/** A record that is gone already is what was wanted: a replayed step must not fail for it. */
export async function deleted(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
}

/** What a deletion shows. */
export function deletionOf(kind: RecordKind): Shown {
  return {
    outputFields: [
      { key: 'id', label: `${kind.noun} ID`, type: 'string' },
      { key: 'deleted', label: 'Deleted', type: 'boolean' },
    ],
    sample: { id: kind.sample.id, deleted: true },
  };
}
