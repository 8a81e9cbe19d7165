import { z } from 'zod';
import { WEBHOOK_SECRET_FIELDS, webhookBodies } from '../../src/assumptions/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { tryProfileBodyFirst } from '../../src/request/try-request-bodies.ts';
import { toFullItem } from '../result/projection.ts';
import { text, textList } from '../tool/arguments.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { defineDeleteTool, defineListTool, ItemOutput, trustNote } from './define-tools.ts';
import { describeObject, quoteName } from './describe-object.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/** Says where the signing secret is: it stays valid, so the model does not get it. */
function describeSecret(
  item: JsonObject,
  { secretField, saveSecret }: { secretField: string; saveSecret: ToolContext['saveSecret'] },
): string {
  if (!saveSecret)
    return 'The signing secret is not shown to the assistant, and this server can’t store it. If the user needs it to verify events, delete this webhook and let them create it in Docshare.';
  const path = saveSecret(`webhook-${String(item['id'] ?? 'new')}`, String(item[secretField]));
  return `The signing secret is stored in ${path}, which only the user can read. Tell the user.`;
}

export const webhookTools = [
  defineListTool({ name: 'list_webhooks', description: 'Lists registered webhooks.', operation: 'webhooks.list' }),
  defineTool({
    name: 'create_webhook',
    title: 'Create webhook',
    description:
      'Registers a webhook URL, after the user confirms. The result says where the signing secret was stored; tell the user.',
    operations: ['webhooks.create'],
    annotations: { openWorldHint: true },
    inputSchema: z.strictObject({
      url: text('URL that receives the events as POST requests.'),
      events: textList('Event types, such as link.viewed or envelope.signed.'),
    }),
    outputSchema: ItemOutput,
    confirmation({ url, events }, { client }) {
      checkWebhookUrl(url, client);
      return {
        effect: `webhooks.create ${url}`,
        describe: async () => ({
          // Only the host: a long path in the URL would push it out of sight.
          headline: `Register a webhook at ${quoteName(new URL(url).host)}. It will receive this workspace's events, including data about visitors and signers.`,
          about: { events },
        }),
      };
    },
    async handler({ client, options, saveSecret }, { url, events }) {
      checkWebhookUrl(url, client);
      if (events.length === 0)
        throw new ToolError(
          'invalid_arguments',
          'events: must contain at least one event type, such as link.viewed or envelope.signed.',
        );
      const assumedBody = { bodies: webhookBodies(url, events), placeholderValues: { url, event: events } };
      const webhook = await tryProfileBodyFirst(
        client.activeProfile,
        { operation: 'webhooks.create', ...assumedBody },
        (body) => client.webhooks.create(body, options),
      );
      const item = toFullItem(webhook, 'webhook');
      const secretField = WEBHOOK_SECRET_FIELDS.find((name) => typeof item[name] === 'string');
      const { trustedFields = [] } = trustNote(webhook);
      return {
        data: {
          done: true,
          ...Object.fromEntries(Object.entries(item).filter(([name]) => !WEBHOOK_SECRET_FIELDS.includes(name))),
          ...(secretField === undefined ? {} : { next: describeSecret(item, { secretField, saveSecret }) }),
        },
        trustedFields: [...trustedFields, 'next'],
        unredactedFields: ['url', 'target_url', 'endpoint'],
      };
    },
  }),
  defineDeleteTool({
    name: 'delete_webhook',
    description: 'Deletes a webhook, after the user confirms. Its URL receives no more events.',
    operation: 'webhooks.delete',
    id: 'Webhook ID, from list_webhooks.',
    confirmation: ({ id }) => ({
      effect: `webhooks.delete ${id}`,
      async describe(context) {
        const { name, about } = await describeObject(context, 'webhooks', String(id));
        return {
          headline: `Delete webhook ${name}. Its URL receives no more events; Zaps or scripts that depend on it stop working.`,
          about,
        };
      },
    }),
  }),
];
