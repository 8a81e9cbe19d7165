import { type Client, NotFoundError, ValidationError } from '../platform/client-core.ts';
import { findById } from '../records/read-list.ts';
import type { RecordKind } from '../records/record-kind.ts';
import type { StepOutput } from './define-action.ts';

/** Accepts a record that is already deleted, so a replayed step does not fail. */
export async function ensureDeleted(
  call: Promise<unknown>,
  record: { client: Client; kind: RecordKind; id: string },
): Promise<void> {
  await call.catch(async (error: unknown) => {
    if (error instanceof NotFoundError) return;
    // §7 does not show the status for an unknown ID, so the list decides.
    const isDeleted =
      error instanceof ValidationError && (await findById(record.kind, record.client, record.id)).kind === 'not-found';
    if (!isDeleted) throw error;
  });
}

export function deletionOutput(kind: RecordKind): StepOutput {
  return {
    outputFields: [
      { key: 'id', label: `${kind.noun} ID`, type: 'string' },
      { key: 'deleted', label: 'Deleted', type: 'boolean' },
    ],
    sample: { id: kind.sample.id, deleted: true },
  };
}
