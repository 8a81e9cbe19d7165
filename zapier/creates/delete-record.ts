import type { Create } from 'zapier-platform-core';
import { deletionNotice, recordField } from '../fields/form-fields.ts';
import { ApiError, type Client, NotFoundError, ValidationError } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { getStepRun } from '../platform/step-run.ts';
import type { StepContext } from '../platform/with-client.ts';
import { link, template } from '../records/kinds.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { defineAction } from './define-action.ts';

/** Longer than people replay a run. */
const DELETED_TTL_S = 30 * 24 * 60 * 60;

export const deleteLink = defineDeletion(link, {
  description: 'Deletes a share link. Visitors lose access at once.',
  helpText: 'The link to delete. Its document stays in Docshare.',
  remove: (client, id) => client.links.delete({ id }),
});

export const deleteTemplate = defineDeletion(template, {
  description: 'Deletes a template. Existing agreements are kept.',
  helpText: 'The template to delete for everyone in the workspace.',
  remove: (client, id) => client.templates.delete({ id }),
});

function defineDeletion(
  kind: RecordKind,
  spec: { description: string; helpText: string; remove: (client: Client, id: string) => PromiseLike<unknown> },
): Create {
  const { resource, noun } = kind;
  const { description, helpText, remove } = spec;
  return defineAction<Record<string, unknown>>({
    key: `delete_${resource}`,
    noun,
    label: `Delete ${noun}`,
    description,
    inputFields: [recordField(kind, { helpText }), deletionNotice(`a ${resource}`)],
    perform: (client, { z, input }) => {
      const id = String(input[resource]);
      return deleteRecord({ z }, { kind, id, remove: async () => remove(client, id) });
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

/**
 * Deletes a record. An ID that the service does not know is an error, since it may have a typo, unless this app has
 * deleted the record before: then the run is a replay.
 */
async function deleteRecord(
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
    const isReplay = getStepRun(z).mayHaveWritten() || (await cache.get(key).catch(() => null)) !== null;
    if (!isUnknownId || !isReplay) throw error;
  });
  await remember();
  return { id, deleted: true };
}
