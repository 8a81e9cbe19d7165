import { EVENT_KINDS, getWebhookBodies, WEBHOOK_SECRET_FIELDS } from '../../src/assumptions/index.ts';
import { findNamedPath } from '../probes/json-path.ts';
import { createObject, provokeBodyError, type ThrowawayObject, type WriteContext } from './create-object.ts';

/** A host that can't exist (RFC 6761). */
const UNREACHABLE_URL = 'https://docshare-learn.invalid';

/** Creates a throwaway webhook and learns the accepted body and where the secret is. */
export async function createThrowawayWebhook(
  writeContext: WriteContext,
  receiverUrl: string | undefined,
): Promise<ThrowawayObject | undefined> {
  const { createdResources, facts, requestSchemas } = writeContext;
  await provokeBodyError(writeContext, 'webhooks.create', {});
  const [kind = ''] = EVENT_KINDS;
  // Some services accept only public URLs.
  for (const base of receiverUrl === undefined ? [UNREACHABLE_URL] : [receiverUrl, UNREACHABLE_URL]) {
    const url = `${base}/${createdResources.marker}`;
    const created = await createObject(writeContext, {
      name: 'webhooks.create',
      bodies: getWebhookBodies(url, [kind]),
      topic: 'webhooks',
    });
    if (!created && requestSchemas['webhooks.create'] === undefined) continue;
    const acceptedBody = getWebhookBodies('{url}', ['{event}']).find((body) => hasAcceptedFields(writeContext, body));
    if (acceptedBody) facts.webhook = acceptedBody;
    if (created) {
      const isText = (value: unknown) => typeof value === 'string';
      const at = findNamedPath(created.response.json, WEBHOOK_SECRET_FIELDS, isText);
      facts.webhookSecret = at ? [...at] : null;
    }
    return created;
  }
  return undefined;
}

/** Creates a second webhook for the other documented event kind (§6), with the same kind of body. */
export function createSecondWebhook(writeContext: WriteContext, base: string): Promise<ThrowawayObject | undefined> {
  const [, kind = ''] = EVENT_KINDS;
  const bodies = getWebhookBodies(`${base}/${writeContext.createdResources.marker}`, [kind]);
  return createObject(writeContext, {
    name: 'webhooks.create',
    bodies: bodies.filter((body) => hasAcceptedFields(writeContext, body)),
    topic: 'webhooks',
  });
}

/** Returns whether a body has the fields of the one that the service accepted. */
function hasAcceptedFields({ requestSchemas }: WriteContext, body: object): boolean {
  return Object.keys(body).join() === Object.keys(requestSchemas['webhooks.create']?.properties ?? {}).join();
}
