import { createSandbox, type Sandbox, type SandboxProfileInput } from '../../sandbox/index.ts';
import {
  type ReceivedDelivery,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../scripts/demo-webhook-receiver.ts';
import { closeAfterAll } from './cleanup.ts';
import { openLoopback } from './mcp-loopback.ts';
import { type Fields, type Platform, startPlatform } from './zapier-lambda.ts';

export type TriggerKey = 'link_viewed' | 'envelope_signed';

/** A sandbox, the built app on an emulated Zapier platform, and a receiver for its webhooks. */
export interface ZapierContext {
  readonly sandbox: Sandbox;
  readonly key: string;
  readonly zap: Platform;
  readonly hooks: WebhookReceiver;
  act(key: string, inputData: Fields): Promise<Fields>;
  trigger<Result = Fields[]>(key: string, method: string, bundle?: Fields): Promise<Result>;
  /** Subscribes a trigger. Read its deliveries with `delivered`. */
  subscribe(key: TriggerKey): Promise<Fields>;
  /** Waits for the next delivery to a trigger and returns the bundle that Zapier makes of it. */
  delivered(key: TriggerKey, subscribeData: Fields): Promise<Fields>;
  /** Creates a document with a link and a sent agreement. */
  share(): Promise<{ link: Fields; agreement: string }>;
  close(): Promise<void>;
}

/** Opens a context, on a company's data by default. With `keepsLog`, the platform keeps its log lines. */
export async function openZapierContext(
  profile: SandboxProfileInput = 'modern',
  { data = 'company', ...options }: { keepsLog?: boolean; data?: 'company' | 'empty' } = {},
): Promise<ZapierContext> {
  const sandbox = await createSandbox({ profile, data });
  const key = sandbox.key();
  const zap = await startPlatform({ apiKey: key, baseUrl: sandbox.url }, undefined, options);
  const hooks = await startWebhookReceiver();
  const shared = new Set<string>();
  const act: ZapierContext['act'] = (name, inputData) => zap.run(`creates.${name}.operation.perform`, { inputData });
  const trigger: ZapierContext['trigger'] = (name, method, bundle) =>
    zap.run(`triggers.${name}.operation.${method}`, bundle);
  return {
    sandbox,
    key,
    zap,
    hooks,
    act,
    trigger,
    subscribe: (name) => trigger<Fields>(name, 'performSubscribe', { targetUrl: hooks.urlFor(`/${name}`) }),
    delivered: async (name, subscribeData) => bundleOf(await hooks.nextDelivery(`/${name}`, 10_000), subscribeData),
    async share() {
      const document = await act('upload_document', { file: 'data:,Between us.', name: 'NDA.txt' });
      const link = await act('create_link', { document: document['id'], email_required: true });
      await act('create_agreement', {
        name: 'NDA with Ann',
        document: document['id'],
        signer_emails: ['Ann Lee <ann@northwind.example>'],
      });
      const choices = await trigger('agreement_list', 'perform');
      // Drop-downs add words to equal names.
      const named = choices.filter((choice) => String(choice['name']).startsWith('NDA with Ann'));
      const agreement = String(named.find(({ id }) => !shared.has(String(id)))?.['id']);
      shared.add(agreement);
      await act('send_agreement', { agreement });
      return { link, agreement };
    },
    async close() {
      await zap.close();
      await hooks.close();
      await sandbox.close();
    },
  };
}

/** The built app on a service that answers what a test wants, closed with the file; each test may replace the answer. */
export async function openZapOnService(answer: Parameters<typeof openLoopback>[0]) {
  const service = await closeAfterAll(openLoopback(answer));
  const zap = await closeAfterAll(startPlatform({ apiKey: 'key', baseUrl: service.url }));
  return { service, zap };
}

/** A delivery as Zapier passes it on: its headers have names like `Http-X-Foo`. */
export function bundleOf({ body, headers }: Omit<ReceivedDelivery, 'path'>, subscribeData: Fields): Fields {
  const named = Object.entries(headers).map(([name, value]) => [
    `Http-${name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase())}`,
    value,
  ]);
  return {
    subscribeData,
    cleanedRequest: JSON.parse(body),
    rawRequest: { method: 'POST', querystring: '', content: body, headers: Object.fromEntries(named) },
  };
}
