import { z } from 'zod';
import { WEBHOOK_SECRET_FIELDS, webhookBodies } from '../../src/assumptions/index.ts';
import { tryProfileBodyFirst } from '../../src/call/first-accepted.ts';
import { toFullItem } from '../answer/projection.ts';
import { quoted } from '../answer/quoted.ts';
import { text, texts } from '../contract/arguments.ts';
import { defineTool } from '../contract/tool.ts';
import { ToolError } from '../tool-error.ts';
import { lookUp } from './look-up.ts';
import { deleteTool, ItemAnswer, listTool, ownNote } from './tool-kinds.ts';

export const webhookTools = [
  listTool({
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
      events: texts('link.viewed, envelope.signed, …'),
    }),
    outputSchema: ItemAnswer,
    confirmation: ({ url }) => ({
      // The host by itself: a long user name before it would push it out of sight.
      summary: `Register an address at the host ${quoted(URL.canParse(url) ? new URL(url).host : url)}: from then on the workspace's events go there, with what they say about visitors and signers.`,
    }),
    async handler({ client, options }, { url, events }) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new ToolError('invalid_arguments', 'url: a web address such as https://example.com/hook.');
      if (events.length === 0)
        throw new ToolError(
          'invalid_arguments',
          'events: name at least one, such as link.viewed or envelope.signed.',
        );
      const assumed = { bodies: webhookBodies(url, events), filling: { url, event: events } };
      const webhook = await tryProfileBodyFirst(
        client.activeProfile,
        { operation: 'webhooks.create', ...assumed },
        (body) => client.webhooks.create(body, options),
      );
      return {
        data: { done: true, ...toFullItem(webhook, 'webhook') },
        ...ownNote(webhook),
        unredactedFields: [...WEBHOOK_SECRET_FIELDS, 'url', 'target_url', 'endpoint'],
      };
    },
  }),
  deleteTool({
    name: 'delete_webhook',
    description: 'Removes a webhook registration; its address gets no more events.',
    operation: 'webhooks.delete',
    id: 'Registration id',
    gate: ({ id }) => ({
      summary: `Remove webhook registration ${quoted(id)}: its address gets no more events, and Zaps or scripts behind it stop.`,
      preview: lookUp('webhooks', String(id)),
    }),
  }),
];
