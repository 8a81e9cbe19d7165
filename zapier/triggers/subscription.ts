import {
  getWebhookBodies,
  RECORD_FIELDS,
  SUBSCRIPTION_ID_FIELDS,
  WEBHOOK_SECRET_FIELDS,
} from '../../src/assumptions/index.ts';
import {
  ApiError,
  type Client,
  ConflictError,
  getTextField,
  InputError,
  idOf,
  type JsonObject,
  type ListOptions,
  NotFoundError,
  parseWebhookUrl,
  RateLimitError,
  toIsoTime,
  tryRequestBodies,
  ValidationError,
} from '../platform/client-core.ts';

export interface Subscription {
  readonly id: string;
  /** Registrations of further kinds of events, where the service accepts only some kinds in one. */
  readonly otherIds?: readonly string[];
  readonly url: string;
  readonly secret?: string;
  /** ISO 8601; Zapier subscribes again before it. */
  readonly expiration_date?: string;
}

/** Fields that certainly hold a signing secret; `key` may be anything. */
const SECRET_FIELDS = WEBHOOK_SECRET_FIELDS.filter((name) => /secret|sign/i.test(name));

/**
 * Registers a URL for one kind of event, or for the first list of kinds that the service accepts and for each other kind
 * that it accepts alone. Zapier may subscribe again, after an error or before the end: then the old registration is
 * removed after the new one exists.
 */
export async function subscribe(
  client: Client,
  targetUrl: string,
  events: string | readonly (readonly string[])[],
): Promise<Subscription> {
  const { url: target, problem } = parseWebhookUrl(targetUrl, client.baseUrl);
  if (!target) throw new InputError(`The URL for the events ${problem}. Turn the Zap off and on again.`);
  const { href: url } = target;
  const eventLists = typeof events === 'string' ? [[events]] : events;
  const existingIds = await findRegistrations(client, url);
  const { response, body, isReplaced } = await register(client, { url, eventLists, existingIds });
  const responseId = findSubscriptionId(response);
  const currentIds = responseId === undefined ? await findRegistrations(client, url) : [];
  const id = responseId ?? currentIds.find((candidate) => !existingIds.includes(candidate)) ?? currentIds[0] ?? '';
  for (const staleId of isReplaced ? [] : existingIds)
    if (staleId !== id) await removeRegistration(client, staleId).catch(() => undefined);
  const otherIds = await registerOtherKinds(client, { id, url, body, events: eventLists[0] ?? [] }).catch(
    async (error: unknown) => {
      await unsubscribe(client, { id, url }).catch(() => undefined);
      throw error;
    },
  );
  const secret = findDeep(response, (item) => getTextField(item, SECRET_FIELDS));
  const expires = toIsoTime(findDeep(response, (item) => getTextField(item, RECORD_FIELDS.expiresAt)));
  return {
    id,
    url,
    ...(otherIds.length === 0 ? {} : { otherIds }),
    ...(secret === undefined ? {} : { secret }),
    ...(expires === undefined ? {} : { expiration_date: expires }),
  };
}

/** Names in the body that a service accepted, by its base URL: each waiting run registers a separate URL. */
const acceptedNames = new Map<string, string>();

/** Some services allow only one registration per URL: then the old one is removed first. */
async function register(
  client: Client,
  {
    url,
    eventLists,
    existingIds,
  }: { url: string; eventLists: readonly (readonly string[])[]; existingIds: readonly string[] },
): Promise<{ response: JsonObject; body: JsonObject; isReplaced: boolean }> {
  // Tries each form of body with every list of kinds, since an error may be about either.
  const bodyVariants = eventLists.map((events) => getWebhookBodies(url, events));
  const maxVariants = Math.max(...bodyVariants.map(({ length }) => length));
  const bodies = [...Array(maxVariants).keys()].flatMap((index) =>
    bodyVariants.map((variants) => variants[index]).filter((body) => body !== undefined),
  );
  const getNames = (body: object) => Object.keys(body).join();
  const isKnown = (body: object) => getNames(body) === acceptedNames.get(client.baseUrl);
  const create = () =>
    tryRequestBodies([...bodies.filter(isKnown), ...bodies.filter((body) => !isKnown(body))], async (body) => {
      const response = await client.webhooks.create(body);
      acceptedNames.set(client.baseUrl, getNames(body));
      return { response, body };
    });
  try {
    return { ...(await create()), isReplaced: false };
  } catch (error) {
    if (!(error instanceof ConflictError) || existingIds.length === 0) throw error;
    for (const staleId of existingIds) await removeRegistration(client, staleId);
    return { ...(await create()), isReplaced: true };
  }
}

/** Registers the kinds that are missing in an accepted body, each alone. Returns the IDs of the new registrations. */
async function registerOtherKinds(
  client: Client,
  { id, url, body, events }: { id: string; url: string; body: JsonObject; events: readonly string[] },
): Promise<string[]> {
  const registered = Object.values(body).flat();
  const ids: string[] = [];
  for (const kind of events.filter((event) => !registered.includes(event))) {
    const replaceKind = (value: unknown) => (value === url ? url : Array.isArray(value) ? [kind] : kind);
    const single = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, replaceKind(value)]));
    const response = await client.webhooks.create(single).catch((error: unknown) => {
      // A service may not know this kind.
      if (!(error instanceof ApiError) || error instanceof RateLimitError || error.status >= 500) throw error;
    });
    if (response) ids.push(findSubscriptionId(response) ?? '');
    if (id === '' || ids.at(-1) !== id) continue;
    // The service keeps one registration per URL, and has changed its kind.
    await client.webhooks.create(body);
    return [];
  }
  const createdIds = ids.includes('') ? await findRegistrations(client, url) : ids;
  return createdIds.filter((other) => other !== '' && other !== id);
}

function findSubscriptionId(response: JsonObject): string | undefined {
  return findDeep(response, (item) => idOf(item, 'webhook') ?? getTextField(item, SUBSCRIPTION_ID_FIELDS));
}

/** Removes the registrations and others for the same URL; a missing one is not an error. */
export async function unsubscribe(client: Client, subscription: Partial<Subscription>): Promise<void> {
  const { id, url, otherIds = [] } = subscription;
  const ids = [...(id ? [id] : []), ...otherIds];
  for (const known of ids) await removeRegistration(client, known);
  if (url === undefined) return;
  for (const other of await findRegistrations(client, url))
    if (!ids.includes(other)) await removeRegistration(client, other);
}

async function removeRegistration(client: Client, id: string): Promise<void> {
  await client.webhooks.delete({ id }).catch(async (error: unknown) => {
    if (error instanceof NotFoundError) return;
    // §7 does not show the status for an unknown ID, so the list decides.
    if (!(error instanceof ValidationError) || (await findRegistration(client, id, { incomplete: 'accept' })))
      throw error;
  });
}

export async function findRegistration(
  client: Client,
  id: string,
  options: ListOptions,
): Promise<JsonObject | undefined> {
  for await (const item of client.webhooks.list({}, options)) if (idOf(item, 'webhook') === id) return item;
  return undefined;
}

/** IDs of the registrations for a URL; none if the list can't be read. */
async function findRegistrations(client: Client, url: string): Promise<string[]> {
  const ids: string[] = [];
  try {
    for await (const item of client.webhooks.list({}, { incomplete: 'accept' })) {
      const id = idOf(item, 'webhook');
      if (id !== undefined && findDeep(item, (candidate) => containsUrl(candidate, url)) !== undefined) ids.push(id);
    }
  } catch {
    // Keeps what could be read.
  }
  return ids;
}

function containsUrl(item: unknown, url: string): true | undefined {
  return typeof item === 'object' && item !== null && Object.values(item).includes(url) ? true : undefined;
}

/** §4 does not show the response of POST /webhooks, so its fields may be nested. */
function findDeep<Result>(
  item: unknown,
  extract: (item: unknown) => Result | undefined,
  depth = 0,
): Result | undefined {
  const found = extract(item);
  if (found !== undefined || depth > 2 || typeof item !== 'object' || item === null) return found;
  for (const nested of Object.values(item)) {
    const inner = findDeep(nested, extract, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
