import { ApiError, NotFoundError, ValidationError } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { getStepRun } from '../platform/step-run.ts';
import type { StepContext } from '../platform/with-client.ts';
import type { RecordKind } from '../records/record-kind.ts';
import type { StepOutput } from './define-action.ts';

/** Longer than people replay a run. */
const DELETED_TTL_S = 30 * 24 * 60 * 60;

/**
 * Deletes a record. An ID that the service does not know is an error, since it may have a typo, unless this app has
 * deleted the record before: then the run is a replay.
 */
export async function deleteRecord(
  { z }: Pick<StepContext<Record<string, unknown>>, 'z'>,
  { kind, id, remove }: { kind: RecordKind; id: string; remove: () => Promise<unknown> },
): Promise<{ id: string; deleted: true }> {
  const cache = createConnectionCache(z);
  const key = `deleted-${kind.resource}-${id}`;
  const remember = () => cache.trySet(key, 1, DELETED_TTL_S);
  await remove().catch(async (error: unknown) => {
    // §7 does not show the status for an unknown ID.
    const isUnknownId = error instanceof NotFoundError || error instanceof ValidationError;
    if (!isUnknownId && !(error instanceof ApiError && error.status < 500)) await remember();
    const isReplay = getStepRun(z).mayHaveWritten() || (await cache.get(key)) !== null;
    if (!isUnknownId || !isReplay) throw error;
  });
  await remember();
  return { id, deleted: true };
}

export function createDeletionOutput(kind: RecordKind): StepOutput {
  return {
    outputFields: [
      { key: 'id', label: `${kind.noun} ID`, type: 'string' },
      { key: 'deleted', label: 'Deleted', type: 'boolean' },
    ],
    sample: { id: kind.sample.id, deleted: true },
  };
}
