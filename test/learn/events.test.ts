import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { createLimiter, defineClient, type Transport } from '../../src/index.ts';
import { texts } from './texts.ts';

/** Paths of kind, ID and data for each event format. */
const PATHS = {
  standard: { kind: ['type'], data: ['data'] },
  object: { kind: ['type'], id: ['id'], data: ['data'] },
  payload: { kind: [expect.stringMatching(/^event_?type$/i)], data: ['payload'] },
  flat: { kind: ['event'], id: ['id'] },
} as const;

test.concurrent.for(['modern', 'minimal', 'legacy', 'numeric', 'ledger', 'raw'])(
  'a visit during the wait shows the format and the signature of the events of %s',
  async (name, { expect }) => {
    const sandbox = await createSandbox({ seed: 1, profile: `${name}+rateLimiter=sliding` });
    try {
      const apiKey = sandbox.key();
      const { links } = sandbox.snapshot().state;
      const open = [...links.values()].find((link) => !link.expires_at && !link.password);
      const { profile } = await learn({
        apiKey,
        baseUrl: sandbox.url,
        topics: ['webhooks', 'events'],
        write: { apiKey, waitSeconds: 20 },
        onProgress: (text) => {
          if (!text.startsWith(texts.openAShareLink)) return;
          void sandbox.visit(open?.id ?? '', { email: 'ada@example.com', ndaAccepted: true, pages: [3] });
        },
      });
      const { event } = profile.facts;
      const { signature, eventShape } = sandbox.profile;
      expect(event).toMatchObject({ signature, kinds: ['link.viewed'], ...PATHS[eventShape] });
      expect(JSON.stringify(event)).not.toContain('ada@');
      expect(sandbox.snapshot().state.webhooks.size).toBe(0);
    } finally {
      await sandbox.close();
    }
  },
);

const ENTRIES = Array.from({ length: 57 }, (_, at) => ({ id: `d${at}`, name: `Document ${at}` }));

/** A service whose links repeat the query; the URLs of the current and the last page precede the next one. */
const transport: Transport = async ({ url }) => {
  const { pathname, searchParams: query } = new URL(url);
  const size = Number(query.get('limit') ?? 20);
  const page = Number(query.get('page') ?? 1);
  const last = Math.ceil(ENTRIES.length / size);
  const link = (number: number) => `/api/v1/documents?limit=${size}${number > 1 ? `&page=${number}` : ''}`;
  const links = { self: link(page), last: link(last), next: page < last ? link(page + 1) : null };
  const isList = pathname === '/api/v1/documents';
  const body = isList ? { links, data: ENTRIES.slice((page - 1) * size, page * size) } : { error: 'not found' };
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': `${bytes.length}` };
  return { status: isList ? 200 : 404, headers, body: Readable.from([bytes]) };
};

test('the URL in `next` is learned, not that of the current page, and causes no contradiction', async () => {
  const baseUrl = 'https://docshare.test/api/v1';
  const { profile } = await learn({ apiKey: 'key', baseUrl, transport });
  expect(profile.operations['documents.list']?.list?.next).toMatchObject({ by: 'url', at: ['links', 'next'] });
  const contradictions: unknown[] = [];
  const client = defineClient({
    apiKey: 'key',
    baseUrl,
    profile,
    transport,
    limiter: createLimiter({ requests: 1000 }),
    hooks: { onContradiction: (contradiction) => contradictions.push(contradiction) },
  });
  expect(await client.documents.list().collect()).toEqual(ENTRIES);
  expect(contradictions).toEqual([]);
});
