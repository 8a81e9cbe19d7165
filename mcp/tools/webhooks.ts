import { z } from 'zod';
import { getWebhookBodies, WEBHOOK_URL_FIELDS } from '../../src/assumptions/index.ts';
import { tryProfileBodyFirst } from '../../src/request/try-request-bodies.ts';
import { parseWebhookUrl } from '../../src/web-url.ts';
import { USUAL_EVENTS } from '../assumptions.ts';
import { quoteText } from '../result/quote.ts';
import { textList, webUrl } from '../tool/arguments.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { createTextOutputSchema, defineDeleteTool, defineListTool, getTrustedNoteFields } from './define-tools.ts';
import { formatEmail, quoteName } from './describe-object.ts';
import { storeWebhookSecret } from './webhook-secret.ts';

/** Checked before anybody is asked, and again before the request. @throws ToolError */
function requireWebhookUrl({ url: text, events }: { url: string; events: readonly string[] }, serviceUrl: string): URL {
  const { url, problem } = parseWebhookUrl(text, serviceUrl);
  if (!url) throw new ToolError('invalid_arguments', `url: ${problem}.`);
  if (events.length === 0)
    throw new ToolError(
      'invalid_arguments',
      'events: must contain at least one event type, such as link.viewed or envelope.signed.',
    );
  return url;
}

/** Notice of the question if no file of this machine is the user’s. */
const SECRET_NOTICE =
  'Its signing secret will not be shown. To verify signatures, create it with a local docshare-mcp or the client instead.';

const createWebhook = defineTool({
  name: 'create_webhook',
  title: 'Create webhook',
  description: 'Registers a webhook URL, after the user confirms. The signing secret is stored in secret_file.',
  operations: ['webhooks.create'],
  annotations: { openWorldHint: true },
  inputSchema: z.strictObject({
    url: webUrl('URL that receives the events as POST requests.'),
    events: textList(`Event types: link.viewed, envelope.signed; usually also: ${USUAL_EVENTS}.`),
  }),
  outputSchema: createTextOutputSchema('id', 'secret_file'),
  check: (args, { client }) => void requireWebhookUrl(args, client.baseUrl),
  confirmation: (args, { client, files }) => {
    const { host, href, pathname, search } = requireWebhookUrl(args, client.baseUrl);
    const path = `${pathname}${search}`;
    // The details cut long values.
    const urlNotice = href.length > 200 ? `The whole URL is ${quoteText(href, href.length)}.` : undefined;
    const secretNotice = files.secrets ? undefined : SECRET_NOTICE;
    const notice = [urlNotice, secretNotice].filter((sentence) => sentence !== undefined).join(' ');
    return {
      effects: [`webhooks.create ${new URL(href).hostname.replace(/\.$/, '')}`],
      describe: async () => ({
        // On a shared host, the path decides who receives the events; it is cut, so that the host stays in sight.
        headline: `Register a webhook at ${formatEmail(host)}${path === '/' ? '' : ` (path ${quoteName(path, 40)})`}. It will receive this workspace's events, including data about visitors and signers.`,
        ...(notice === '' ? {} : { notice }),
      }),
    };
  },
  async handler({ client, options, files: { secrets } }, args) {
    const { events } = args;
    const { href: url } = requireWebhookUrl(args, client.baseUrl);
    // Before the request, because the service shows the secret only once.
    secrets?.ensureWritable();
    const assumedBody = { bodies: getWebhookBodies(url, events), placeholderValues: { url, event: events } };
    const webhook = await tryProfileBodyFirst(
      client.activeProfile,
      { operation: 'webhooks.create', ...assumedBody },
      (body) => client.webhooks.create(body, options),
    );
    return {
      data: { done: true, ...(await storeWebhookSecret(webhook, secrets)) },
      trustedFields: [...(getTrustedNoteFields(webhook).trustedFields ?? []), 'secret_file', 'next'],
      unredactedFields: [...WEBHOOK_URL_FIELDS, 'secret_file'],
    };
  },
});

export const webhookTools = [
  defineListTool({ name: 'list_webhooks', description: 'Lists registered webhooks.', operation: 'webhooks.list' }),
  {
    ...createWebhook,
    fallbacks: [
      {
        without: 'disk',
        tool: {
          ...createWebhook,
          description: 'Registers a webhook URL, after the user confirms. The signing secret is not returned.',
        },
      },
    ],
  } satisfies Tool,
  defineDeleteTool({
    name: 'delete_webhook',
    description: 'Deletes a webhook, after the user confirms. Its URL receives no more events.',
    operation: 'webhooks.delete',
    id: 'Webhook ID, from list_webhooks.',
    consequence: 'Its URL receives no more events; Zaps or scripts that depend on it stop working.',
  }),
];
