import { z } from 'zod';
import { WEBHOOK_SECRET_FIELDS, webhookBodies } from '../../src/assumptions/index.ts';
import { tryProfileBodyFirst } from '../../src/request/try-request-bodies.ts';
import { readWebhookUrl } from '../../src/web-url.ts';
import { toFullItem } from '../result/projection.ts';
import { quoteText } from '../result/quote.ts';
import { textList, webUrl } from '../tool/arguments.ts';
import { defineTool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { defineDeleteTool, defineListTool, ItemOutput, trustNote } from './define-tools.ts';
import { describeObject, quoteName } from './describe-object.ts';

/** Checked before anybody is asked, and again before the request. @throws ToolError */
function parseWebhookUrl({ url: text, events }: { url: string; events: readonly string[] }, serviceUrl: string): URL {
  const { url, problem } = readWebhookUrl(text, serviceUrl);
  if (!url) throw new ToolError('invalid_arguments', `url: ${problem}.`);
  if (events.length === 0)
    throw new ToolError(
      'invalid_arguments',
      'events: must contain at least one event type, such as link.viewed or envelope.signed.',
    );
  return url;
}

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
      url: webUrl('URL that receives the events as POST requests.'),
      events: textList('Event types, such as link.viewed or envelope.signed.'),
    }),
    outputSchema: ItemOutput,
    confirmation: (args, { client }) => {
      const { host, href } = parseWebhookUrl(args, client.baseUrl);
      return {
        effect: `webhooks.create ${href}`,
        describe: async () => ({
          // Only the host: a long path in the URL would push it out of sight.
          headline: `Register a webhook at ${quoteName(host)}. It will receive this workspace's events, including data about visitors and signers.`,
          // The details cut long values.
          ...(href.length > 200 ? { notice: `The whole URL is ${quoteText(href, href.length)}.` } : {}),
          about: { events: args.events },
        }),
      };
    },
    async handler({ client, options }, args) {
      const { events } = args;
      const { href: url } = parseWebhookUrl(args, client.baseUrl);
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
