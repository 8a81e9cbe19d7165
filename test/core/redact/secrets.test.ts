import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Client, createLimiter, defineClient, type Transport } from '../../../src/index.ts';
import { failureOf } from '../../support/failure-of.ts';
import { texts } from '../texts.ts';

const KEY = 'sk_live_CANARY/"key"&<42>+=';
const TOKEN = 'token-CANARY-7f3a';
const PASSWORD = 'hunter2-CANARY';
const PRESIGNED = 'https://store.test/b/o.pdf?X-Amz-Signature=CANARY1&X-Amz-Credential=CANARY2#CANARY3';

/** Everything that a program could print of an error. */
function printsOf(error: unknown): string {
  const parts = [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), String(error)];
  if (error instanceof Error)
    parts.push(error.stack ?? '', error.message, inspect(error.cause, { showHidden: true, depth: 10 }));
  return parts.join('\n');
}

function clientOf(transport: Transport, lines: unknown[]): Client {
  return defineClient({
    apiKey: KEY,
    baseUrl: 'https://docshare.test/api/v1',
    transport,
    limiter: createLimiter({ requests: 100_000 }),
    retry: { retries: 1, baseDelayMs: 0, maxDelayMs: 0 },
    logger: (...line) => lines.push(line),
    hooks: {
      onRequest: (seen) => void lines.push(seen),
      onResponse: (seen) => void lines.push(seen),
      onRetry: (seen) => void lines.push(seen),
    },
  });
}

const quoted = fc.constantFrom(
  (secret: string) => secret,
  (secret: string) => JSON.stringify(secret),
  (secret: string) =>
    JSON.stringify({ error: { message: `no: ${secret}` }, echo: { authorization: `Bearer ${secret}` } }),
  (secret: string) => JSON.stringify({ detail: JSON.stringify({ echo: secret }) }),
  (secret: string) => `?q=${encodeURIComponent(secret)}&form=${new URLSearchParams({ q: secret })}`,
  (secret: string) =>
    `<html><p title="${secret}">${secret.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')}</p>`,
  (secret: string) => Buffer.from(secret).toString('base64'),
);
/** The secrets of a call: the key and the values of its own input. */
const SECRETS = [[KEY], [KEY, PASSWORD], [KEY, TOKEN], [KEY], [KEY]] as const;
const bodyOf = (secret: string) =>
  fc
    .tuple(quoted, fc.string(), fc.constantFrom(1, 400, 4000, 70_000))
    .map(
      ([quote, noise, size]) =>
        `${' '.repeat(size)}${noise} ${quote(secret)} see ${PRESIGNED} {"token":"${TOKEN}","signing_secret":"CANARY4"}`,
    );
const shape = fc.record({
  which: fc.nat(4),
  status: fc.constantFrom(200, 201, 301, 302, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503),
  quote: fc.nat(1),
  headers: fc.constantFrom<Record<string, string>>(
    {},
    { 'x-request-id': `req ${KEY}` },
    { location: PRESIGNED },
    { 'retry-after': '0' },
  ),
  breaks: fc.constantFrom('no', 'before', 'inside'),
});

const failure = shape.chain(({ quote, ...rest }) => {
  const known = SECRETS[rest.which] ?? [KEY];
  return bodyOf(known[quote] ?? KEY).map((text) => ({ ...rest, text }));
});

test('a canary in hundreds of random failures is never printed', async () => {
  await fc.assert(
    fc.asyncProperty(failure, async ({ which, status, text, headers, breaks }) => {
      const lines: unknown[] = [];
      const client = clientOf(async (request) => {
        if (breaks === 'before')
          throw Object.assign(new Error(`failed with ${inspect(request)}`), { code: 'ECONNRESET' });
        const chunks = async function* () {
          yield Buffer.from(text);
          if (breaks === 'inside') throw new Error(`cut ${inspect(request)}`);
        };
        return { status, headers, body: Readable.from(chunks()) };
      }, lines);
      const error = await failureOf(call(client, which));
      for (const canary of [KEY, 'CANARY', encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')])
        expect(`${printsOf(error)}\n${inspect(lines, { depth: 10 })}\n${JSON.stringify(lines)}`).not.toContain(canary);
    }),
    { numRuns: 200, seed: 20_261_121 },
  );
});

async function call(client: Client, which: number): Promise<unknown> {
  if (which === 0) return client.documents.list();
  if (which === 1) return client.links.create({ document_id: 'd', extra: { password: PASSWORD } });
  if (which === 2) return client.documents.finalizeUpload({ storageKey: 's', token: TOKEN });
  if (which === 3) return client.documents.startUpload({ name: 'x' });
  return client.links.delete({ id: 'l' });
}

test('a client never prints its key, at any depth of inspection', () => {
  const client = clientOf(async () => ({ status: 200, headers: {}, body: Readable.from([]) }), []);
  const printed = inspect(client, { depth: 20, showHidden: true, getters: true }) + JSON.stringify(client);
  expect(printed).not.toContain('CANARY');
});

test('errors print their details and no undefined fields', async () => {
  const client = clientOf(
    async () => ({ status: 404, headers: {}, body: Readable.from([Buffer.from('no such link')]) }),
    [],
  );
  const error = await client.links.delete({ id: 'l' }).catch((reason: unknown) => reason);
  expect(inspect(error)).not.toContain('undefined');
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'NotFoundError',
    message: expect.stringContaining(texts.serviceDoesKnowId),
    status: 404,
    operation: 'links.delete',
    scope: 'links:write',
    body: 'no such link',
    details: [{ message: 'no such link' }],
    headers: {},
  });
});
