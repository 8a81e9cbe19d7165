import { type Client, NotFoundError, ValidationError } from '../platform/client-core.ts';
import { findById } from '../records/read-list.ts';
import type { RecordKind } from '../records/record-kind.ts';
import type { StepOutput } from './define-action.ts';

/** A record that is gone already is what was wanted: a replayed step must not fail for it. */
export async function ensureDeleted(
  call: Promise<unknown>,
  record: { client: Client; kind: RecordKind; id: string },
): Promise<void> {
  await call.catch(async (error: unknown) => {
    if (error instanceof NotFoundError) return;
    // §7: the status for an unknown id is not shown; where it is another, the list tells.
    const isDeleted =
      error instanceof ValidationError &&
      (await findById(record.kind, record.client, record.id)).kind === 'not-found';
    if (!isDeleted) throw error;
  });
}

/** What a deletion shows. */
export function deletionOutput(kind: RecordKind): StepOutput {
  return {
    outputFields: [
      { key: 'id', label: `${kind.noun} ID`, type: 'string' },
      { key: 'deleted', label: 'Deleted', type: 'boolean' },
    ],
    sample: { id: kind.sample.id, deleted: true },
  };
}
