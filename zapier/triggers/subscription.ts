import { WEBHOOK_SECRET_FIELDS, webhookBodies } from '../../src/assumptions/index.ts';
import {
  type Client,
  firstAccepted,
  idOf,
  NotFoundError,
  textField,
  ValidationError,
} from '../platform/core.ts';

/** What Zapier keeps of a subscription and hands back with each delivery. */
export interface Subscription {
  readonly id: string;
  readonly url: string;
  /** Signs the deliveries, where the service gave one. */
  readonly secret?: string;
}

/** A field named just `key` may be anything; only these certainly sign. */
const SECRET_FIELDS = WEBHOOK_SECRET_FIELDS.filter((name) => /secret|sign/i.test(name));

export async function subscribe(client: Client, url: string, event: string): Promise<Subscription> {
  const answer = await firstAccepted(webhookBodies(url, [event]), (body) => client.webhooks.create(body));
  const id = findDeep(
    answer,
    (item) => idOf(item, 'webhook') ?? textField(item, ['subscription_id', 'subscriptionId']),
  );
  const secret = findDeep(answer, (item) => textField(item, SECRET_FIELDS));
  return { id: id ?? (await findByUrl(client, url)) ?? '', url, ...(secret === undefined ? {} : { secret }) };
}

/** A registration that is gone already is what was wanted. */
export async function unsubscribe(client: Client, subscription: Partial<Subscription>): Promise<void> {
  const { url } = subscription;
  const id = subscription.id || (url === undefined ? undefined : await findByUrl(client, url));
  if (!id) return;
  await client.webhooks.delete({ id }).catch(async (error: unknown) => {
    if (error instanceof NotFoundError) return;
    // §7: the status for an unknown id is not shown; where it is another, the list tells.
    if (!(error instanceof ValidationError) || (await isRegistered(client, id))) throw error;
  });
}

async function isRegistered(client: Client, id: string): Promise<boolean> {
  for await (const item of client.webhooks.list()) if (idOf(item, 'webhook') === id) return true;
  return false;
}

async function findByUrl(client: Client, url: string): Promise<string | undefined> {
  for await (const item of client.webhooks.list()) {
    if (Object.values(item).includes(url)) return idOf(item, 'webhook');
  }
  return undefined;
}

/** §4: the answer of POST /webhooks is not shown, so what it holds may stand a level or two down. */
function findDeep(item: unknown, read: (item: unknown) => string | undefined, depth = 0): string | undefined {
  const found = read(item);
  if (found !== undefined || depth > 2 || typeof item !== 'object' || item === null) return found;
  for (const nested of Object.values(item)) {
    const inner = findDeep(nested, read, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
