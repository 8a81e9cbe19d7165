/** No create, send or update runs twice; every read and delete recovers. Checked in the service's own log. */
import { afterEach, expect, test } from 'vitest';
import { createSandbox, type FaultRule } from '../../../sandbox/index.ts';
import {
  createClient,
  createLimiter,
  type NamedOperation,
  NotFoundError,
  operations,
  ServerError,
  UnknownOutcomeError,
} from '../../../src/index.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { FIELDS, findIds, type Ids } from '../../support/operation-inputs.ts';
import { texts } from '../texts.ts';

const sandbox = await closeAfterAll(createSandbox());
const client = await closeAfterAll(
  createClient({
    apiKey: sandbox.key(),
    baseUrl: sandbox.url,
    // Hundreds of calls per second: other tests cover the limit.
    limiter: createLimiter({ requests: 100_000 }),
    retry: { baseDelayMs: 1, maxDelayMs: 20 },
    // No fault here ends by a timeout, so a busy machine must not cause one.
    timeoutMs: 60_000,
  }),
);
afterEach(() => sandbox.reset());

const FAULTS: Readonly<Record<string, FaultRule>> = {
  'a reset after it took effect': { when: 'after', cut: 'reset' },
  'a drop before it ran': { cut: 'drop' },
  'a 502 after it took effect': { when: 'after', status: 502 },
};

const isRepeatable = (method: string) => ['GET', 'PUT', 'DELETE'].includes(method);
const methodOf = ({ operation }: NamedOperation) => operation.route.split(' ')[0] ?? '';
const mayRepeat = (named: NamedOperation) => isRepeatable(methodOf(named)) || named.operation.repeatable === true;
const writes = operations.filter((named) => !mayRepeat(named));
const repeatables = operations.filter(mayRepeat);

test('only GET, PUT, DELETE and the start of an upload may be repeated', () => {
  expect(new Set(writes.map(methodOf))).toEqual(new Set(['POST', 'PATCH']));
  const others = repeatables.filter((named) => !isRepeatable(methodOf(named)));
  expect(others.map(({ name }) => name)).toEqual(['documents.startUpload']);
  expect(new Set(repeatables.map(methodOf))).toEqual(new Set(['GET', 'PUT', 'DELETE', 'POST']));
});

test.each(Object.entries(FAULTS))('after %s a POST or PATCH arrived once, with unknown outcome', async (_, rule) => {
  for (const named of writes) {
    sandbox.reset();
    sandbox.faults.add({ ...rule, operation: named.name });
    const error = await invoke(named).catch((reason: unknown) => reason);
    expect(error, named.name).toBeInstanceOf(UnknownOutcomeError);
    expect(String(error)).toContain(`List the ${named.group} to check before you try again`);
    expect(seen(named), named.name).toHaveLength(1);
  }
});

test.each([500, 503])('after a %i a POST or PATCH was received once and is an error of the service', async (status) => {
  for (const named of writes) {
    sandbox.reset();
    sandbox.faults.add({ status, operation: named.name });
    const error = await invoke(named).catch((reason: unknown) => reason);
    expect(error, named.name).toBeInstanceOf(ServerError);
    expect(String(error)).toContain(texts.andTheCallWasNot);
    expect(seen(named), named.name).toHaveLength(1);
  }
});

test('a truncated body repeats a GET and the start of an upload; a PUT or DELETE with one has succeeded', async () => {
  for (const named of repeatables) {
    sandbox.reset();
    sandbox.faults.add({ truncate: 1, operation: named.name, nth: [1, 2] });
    await expect(invoke(named), named.name).resolves.toBeTypeOf('object');
    // A 204 has no body to truncate: the sandbox truncates its head, and a DELETE is sent once more.
    expect(seen(named), named.name).toHaveLength({ GET: 3, POST: 3, PUT: 1, DELETE: 2 }[methodOf(named)] ?? 0);
  }
});

test.each(Object.entries({ ...FAULTS, 'a 503': { status: 503 } }))(
  'every GET, PUT, DELETE and start of an upload recovers from %s',
  async (_, rule) => {
    for (const named of repeatables) {
      sandbox.reset();
      sandbox.faults.add({ ...rule, operation: named.name, nth: [1, 2] });
      await expect(invoke(named), named.name).resolves.toBeTypeOf('object');
      expect(seen(named).length, named.name).toBeGreaterThan(1);
      expect(seen(named).length, named.name).toBeLessThanOrEqual(3);
    }
  },
);

test('every method is repeated after a 429, because a rejected call did not run', async () => {
  for (const named of operations) {
    sandbox.reset();
    sandbox.faults.add({ status: 429, headers: { 'retry-after': '0' }, operation: named.name, times: 1 });
    await expect(invoke(named), named.name).resolves.toBeTypeOf('object');
    expect(
      seen(named).map(({ effect }) => effect ?? false),
      named.name,
    ).toEqual([false, named.operation.effect !== 'read']);
  }
});

test('calls are never repeated after a 501 or a rejection', async () => {
  for (const status of [501, 400, 401, 403, 405, 409, 422]) {
    sandbox.reset();
    sandbox.faults.add({ status, operation: 'documents.list' });
    await expect(client.documents.list()).rejects.toMatchObject({ status });
    expect(sandbox.log.entries()).toHaveLength(1);
  }
});

test('a DELETE that gets a 404 on a retry has succeeded; a 404 at first is an error', async () => {
  const id = inputs().links;
  sandbox.faults.add({ operation: 'links.delete', when: 'after', cut: 'reset', nth: 1 });
  await expect(client.links.delete({ id })).resolves.toMatchObject({ id });
  expect(sandbox.log.entries().map(({ status }) => status)).toEqual([0, 404]);
  await expect(client.links.delete({ id })).rejects.toThrow(NotFoundError);
});

/** Requests of an operation in the service's log. */
const seen = ({ name }: NamedOperation) => sandbox.log.entries().filter(({ operation }) => operation === name);

/** The IDs after a reset; read once, because each snapshot copies the whole state. */
let start: Ids | undefined;

function inputs(): Ids {
  start ??= findIds(sandbox.snapshot());
  return start;
}

const WEBHOOK = { url: 'http://127.0.0.1:9/hook', events: ['link.viewed'] };
const BODIES: typeof FIELDS = {
  ...FIELDS,
  'documents.create': () => ({ file: new Blob(['one']), name: 'One' }),
  'agreements.send': ({ drafts }) => ({ id: drafts }),
  'webhooks.create': () => WEBHOOK,
};

/** Prepares what the operation needs, clears the log and calls it. */
async function invoke(named: NamedOperation): Promise<unknown> {
  const known = inputs();
  const { name, group } = named;
  const id = name === 'analytics.visit' ? known.visits : name === 'analytics.room' ? known.rooms : known.links;
  const own: Readonly<Record<string, string>> = known;
  let body: object = { id: group === 'analytics' ? id : (own[group] ?? ''), ...BODIES[name]?.(known) };
  if (name === 'documents.finalizeUpload') {
    const session = await client.documents.startUpload({});
    await fetch(session.uploadUrl, { method: 'PUT', headers: session.headers, body: 'two' });
    body = { storageKey: session.storageKey, token: session.token };
  }
  if (name === 'webhooks.delete') {
    const made = await client.webhooks.create(WEBHOOK);
    body = { id: String(made['id']) };
  }
  if (group === 'billing' || /\.(list|create|startUpload)$/.test(name)) body = BODIES[name]?.(known) ?? {};
  const methods: Record<string, unknown> = client[group];
  const method = methods[name.slice(group.length + 1)];
  if (typeof method !== 'function') throw new Error(`no method ${name}`);
  return method(body);
}
