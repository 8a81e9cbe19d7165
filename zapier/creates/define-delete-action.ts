import type { Create } from 'zapier-platform-core';
import { createRecordField } from '../fields/form-fields.ts';
import { ApiError, type Client } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { getStepRun } from '../platform/step-run.ts';
import { mayBeUnknownId } from '../platform/zapier-errors.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { defineAction } from './define-action.ts';

/** Longer than people replay a run. */
const DELETED_TTL_S = 30 * 24 * 60 * 60;

/**
 * Action that deletes the record chosen in the field of its kind. An ID that the service does not know is an error, since
 * it may have a typo, unless this app has deleted the record before: then the run is a replay.
 */
export function defineDeleteAction(
  kind: RecordKind,
  spec: { description: string; helpText: string; remove: (client: Client, id: string) => PromiseLike<unknown> },
): Create {
  const { resource, noun } = kind;
  return defineAction<Record<string, string>>({
    key: `delete_${resource}`,
    noun,
    label: `Delete ${noun}`,
    description: spec.description,
    inputFields: [
      createRecordField(kind, { helpText: spec.helpText }),
      { key: 'notice', type: 'copy', helpText: `Deleting a ${resource} cannot be undone.` },
    ],
    perform: async ({ client, z, input: { [resource]: id = '' } }) => {
      const cache = createConnectionCache(z);
      const key = `deleted-${resource}-${id}`;
      const remember = () => cache.trySet(key, 1, DELETED_TTL_S);
      try {
        await spec.remove(client, id);
      } catch (error) {
        const isUnknownId = mayBeUnknownId(error);
        if (!isUnknownId && !(error instanceof ApiError && error.status < 500)) await remember();
        const isReplay = getStepRun(z).mayHaveWritten() || (await cache.get(key)) !== null;
        if (!isUnknownId || !isReplay) throw error;
      }
      await remember();
      return { id, deleted: true };
    },
    output: {
      outputFields: [
        { key: 'id', label: `${noun} ID`, type: 'string' },
        { key: 'deleted', label: 'Deleted', type: 'boolean' },
      ],
      sample: { id: kind.sample.id, deleted: true },
    },
  });
}
