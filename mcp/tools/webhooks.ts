import { z } from 'zod';
import { WEBHOOK_SECRET_FIELDS, webhookBodies } from '../../src/assumptions/index.ts';
import { tryProfileBodyFirst } from '../../src/request/try-request-bodies.ts';
import { toFullItem } from '../result/projection.ts';
import { text, textList } from '../tool/arguments.ts';
import { defineTool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { defineDeleteTool, defineListTool, ItemOutput, trustNote } from './define-tools.ts';
import { describeObject, quoteName } from './describe-object.ts';

export const webhookTools = [
  defineListTool({ name: 'list_webhooks', description: 'Lists registered webhooks.', operation: 'webhooks.list' }),
  defineTool({
    name: 'create_webhook',
    title: 'Create webhook',
    description:
      'Registers a webhook URL, after the user confirms. The result contains the signing secret; tell the user to store it.',
    operations: ['webhooks.create'],
    annotations: { openWorldHint: true },
    inputSchema: z.strictObject({
      url: text('URL that receives the events as POST requests.'),
      events: textList('Event types, such as link.viewed or envelope.signed.'),
    }),
    outputSchema: ItemOutput,
    confirmation: ({ url, events }) => ({
      effect: `webhooks.create ${url}`,
      describe: async () => ({
        // Only the host: a long path in the URL would push it out of sight.
        headline: `Register a webhook at ${quoteName(URL.canParse(url) ? new URL(url).host : url)}. It will receive this workspace's events, including data about visitors and signers.`,
        about: { events },
      }),
    }),
    async handler({ client, options }, { url, events }) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new ToolError('invalid_arguments', 'url: must be a web address, such as https://example.com/hook.');
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
      return {
        data: { done: true, ...toFullItem(webhook, 'webhook') },
        ...trustNote(webhook),
        unredactedFields: [...WEBHOOK_SECRET_FIELDS, 'url', 'target_url', 'endpoint'],
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
