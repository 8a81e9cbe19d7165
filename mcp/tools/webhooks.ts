import { z } from 'zod';
import { WEBHOOK_SECRET_FIELDS, webhookBodies } from '../../src/assumptions/index.ts';
import { tryProfileBodyFirst } from '../../src/request/try-request-bodies.ts';
import { toFullItem } from '../result/projection.ts';
import { quoteText } from '../result/quote.ts';
import { text, textList } from '../tool/arguments.ts';
import { defineTool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { defineDeleteTool, defineListTool, ItemOutput, trustNote } from './define-tools.ts';
import { createObjectPreview } from './object-preview.ts';

export const webhookTools = [
  defineListTool({
    name: 'list_webhooks',
    description: 'Lists webhook registrations.',
    operation: 'webhooks.list',
  }),
  defineTool({
    name: 'create_webhook',
    title: 'Create webhook',
    description: 'Registers an address that gets events. Keep the secret of the answer.',
    operations: ['webhooks.create'],
    annotations: { openWorldHint: true },
    inputSchema: z.strictObject({
      url: text('Address that gets the events'),
      events: textList('link.viewed, envelope.signed, …'),
    }),
    outputSchema: ItemOutput,
    confirmation: ({ url }) => ({
      // The host by itself: a long user name before it would push it out of sight.
      summary: `Register an address at the host ${quoteText(URL.canParse(url) ? new URL(url).host : url)}: from then on the workspace's events go there, with what they say about visitors and signers.`,
    }),
    async handler({ client, options }, { url, events }) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new ToolError('invalid_arguments', 'url: a web address such as https://example.com/hook.');
      if (events.length === 0)
        throw new ToolError(
          'invalid_arguments',
          'events: name at least one, such as link.viewed or envelope.signed.',
        );
      const assumedBody = { bodies: webhookBodies(url, events), filling: { url, event: events } };
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
    description: 'Removes a webhook registration; its address gets no more events.',
    operation: 'webhooks.delete',
    id: 'Registration id',
    confirmation: ({ id }) => ({
      summary: `Remove webhook registration ${quoteText(id)}: its address gets no more events, and Zaps or scripts behind it stop.`,
      preview: createObjectPreview('webhooks', String(id)),
    }),
  }),
];
