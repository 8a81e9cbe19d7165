import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReceivedDelivery } from './demo-webhook-receiver.ts';

type Fields = Readonly<Record<string, unknown>>;
type TriggerKey = 'link_viewed' | 'envelope_signed';

export interface DemoZapierApp {
  testConnection(): Promise<string>;
  subscribe(trigger: TriggerKey, targetUrl: string): Promise<{ id: string }>;
  run(trigger: TriggerKey, delivery: ReceivedDelivery): Promise<readonly Fields[]>;
  unsubscribe(): Promise<number>;
  describe(event: Fields): string;
}

interface Subscription {
  readonly data: Fields;
  readonly targetUrl: string;
}

/** The built Zapier app, called through the handler of Zapier's Lambda. */
export async function loadZapierApp(authData: { apiKey: string; baseUrl: string }): Promise<DemoZapierApp> {
  // zapier-platform-core is a dependency of the workspace, not of the project.
  const require = createRequire(resolve('zapier/package.json'));
  const { createAppHandler } = require('zapier-platform-core');
  const { default: app } = await import(pathToFileURL(resolve('zapier/dist/index.js')).href);
  const handler = createAppHandler(app);
  // Replaces the platform's cache, which is not available offline.
  const zcacheTestObj = {};
  const subscriptions = new Map<TriggerKey, Subscription>();

  async function execute(method: string, bundle: Fields): Promise<unknown> {
    const event = {
      command: 'execute',
      method,
      bundle: { authData, inputData: {}, meta: {}, ...bundle },
      calledFromCli: true,
      zcacheTestObj,
    };
    const { results } = await handler(event, {});
    return results;
  }

  return {
    async testConnection() {
      const testResult = await execute('authentication.test', {});
      return typeof testResult === 'object' && testResult !== null
        ? Object.values(testResult).slice(0, 3).join(', ')
        : String(testResult);
    },
    async subscribe(trigger, targetUrl) {
      const data = (await execute(`triggers.${trigger}.operation.performSubscribe`, {
        targetUrl: targetUrl,
      })) as Fields;
      subscriptions.set(trigger, { data, targetUrl });
      return { id: String(data.id) };
    },
    async run(trigger, { body, headers }) {
      const subscription = subscriptions.get(trigger);
      const zapierHeaders = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          `Http-${name.replace(/(^|-)\w/g, (c) => c.toUpperCase())}`,
          value,
        ]),
      );
      return (await execute(`triggers.${trigger}.operation.perform`, {
        cleanedRequest: JSON.parse(body),
        rawRequest: { content: body, headers: zapierHeaders, method: 'POST', querystring: '' },
        subscribeData: subscription?.data,
        targetUrl: subscription?.targetUrl,
      })) as readonly Fields[];
    },
    async unsubscribe() {
      for (const [trigger, { data, targetUrl }] of subscriptions) {
        await execute(`triggers.${trigger}.operation.performUnsubscribe`, {
          subscribeData: data,
          targetUrl: targetUrl,
        });
      }
      return subscriptions.size;
    },
    describe: (event) =>
      Object.entries(event)
        .filter(([name, value]) => name !== 'raw' && ['string', 'number', 'boolean'].includes(typeof value))
        .slice(0, 8)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join(', '),
  };
}
