/** Prints the growth table of `docs/performance.md`: requests, CPU time, and memory of waiting calls by workspace size. */
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readOptions } from '../scripts/read-options.ts';
import { openHost } from '../test/support/mcp-host.ts';
import { openLoopback } from '../test/support/mcp-loopback.ts';

readOptions({});

/** The built client, as users run it. */
const core: typeof import('../src/index.ts') = await import(new URL('../dist/src/index.js', import.meta.url).href);

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const SIZES = [1000, 10_000, 100_000] as const;

interface Figures {
  readonly requests: number;
  readonly cpuMs: number;
}

function createRecords(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    id: `doc_${at}`,
    name: `Document ${at}`,
    created_at: '2026-01-01T00:00:00Z',
    pages: 12,
    status: 'ready',
    owner: { email: 'ada@example.com' },
  }));
}

async function measure(run: () => Promise<unknown>, countRequests: () => number): Promise<Figures> {
  const before = { requests: countRequests(), cpu: process.cpuUsage() };
  await run();
  const { user, system } = process.cpuUsage(before.cpu);
  return { requests: countRequests() - before.requests, cpuMs: (user + system) / 1000 };
}

/** Reads a list to its end: by pages of at most 100 entries, or as one response. */
async function readList(count: number, isPaged: boolean): Promise<Figures> {
  const records = createRecords(count);
  let requests = 0;
  const client = core.defineClient({
    apiKey: 'key_of_the_bench',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: core.createLimiter({ requests: 1_000_000 }),
    transport: async ({ url }) => {
      requests += 1;
      const { searchParams: query } = new URL(url);
      const offset = Number(query.get('offset') ?? 0);
      const limit = Math.min(100, Number(query.get('limit') ?? 25));
      const data = isPaged ? records.slice(offset, offset + limit) : records;
      const body = Buffer.from(JSON.stringify(isPaged ? { data, offset, limit, total: count } : { data }));
      return { status: 200, headers: { 'content-length': `${body.length}` }, body: Readable.from([body]) };
    },
  });
  let read = 0;
  const figures = await measure(
    async () => {
      for await (const _ of client.documents.list()) read += 1;
    },
    () => requests,
  );
  if (read !== count) throw new Error(`Read ${read} of ${count} records`);
  return figures;
}

/** Finds the last but one record through the MCP server; a service that does not filter returns all records at once. */
async function find(count: number, by: { text: string; isFiltering: boolean }): Promise<Figures> {
  const records = createRecords(count);
  const all = JSON.stringify({ data: records });
  const service = await openLoopback(({ path, query }) => {
    const id = /^\/documents\/(doc_\d+)$/.exec(path)?.[1];
    if (id) return { json: records.find((record) => record.id === id) };
    const text = query.get('q');
    const isFiltered = by.isFiltering && text !== null;
    if (isFiltered) return { json: { data: records.filter(({ name }) => name.includes(text)) } };
    return { text: all, headers: { 'content-type': 'application/json' } };
  });
  const env = { DOCSHARE_API_KEY: 'key_of_the_bench', DOCSHARE_BASE_URL: service.url };
  const host = await openHost({ env });
  const args = { text: by.text, groups: ['documents'] };
  let found: unknown;
  const figures = await measure(
    async () => {
      found = await host.call('find', args);
    },
    () => service.requests.length,
  );
  await host.close();
  await service.close();
  if (!JSON.stringify(found).includes(`doc_${count - 2}`)) throw new Error(`Not found: ${JSON.stringify(found)}`);
  return figures;
}

/** Returns the bytes that each waiting call holds. */
async function measureWaiting(calls: number): Promise<number> {
  const client = core.defineClient({
    apiKey: 'key_of_the_bench',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: core.createLimiter({ requests: 1 }),
    transport: async () => ({ status: 200, headers: {}, body: Readable.from([Buffer.from('{"id":"doc_1"}')]) }),
  });
  await client.documents.get({ id: 'doc_1' });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const waiting = Array.from({ length: calls }, () => client.documents.get({ id: 'doc_1' }).catch(() => undefined));
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  const bytes = (process.memoryUsage().heapUsed - before) / calls;
  await client.close();
  await Promise.all(waiting);
  return bytes;
}

const formatFigures = ({ requests, cpuMs }: Figures) =>
  `${requests} ${requests === 1 ? 'request' : 'requests'}, ${cpuMs.toFixed(0)} ms`;

const ROWS: Readonly<Record<string, (count: number) => Promise<string>>> = {
  'as many calls that wait for the rate limit': async (count) =>
    `${(((await measureWaiting(count)) * count) / 1e6).toFixed(0)} MB`,
  '`for await`, pages of 100': async (count) => formatFigures(await readList(count, true)),
  '`for await`, a service without pages': async (count) => formatFigures(await readList(count, false)),
  '`find` by ID': async (count) => formatFigures(await find(count, { text: `doc_${count - 2}`, isFiltering: true })),
  '`find` by name, a service that filters': async (count) =>
    formatFigures(await find(count, { text: `Document ${count - 2}`, isFiltering: true })),
  '`find` by name, a service without filters and pages': async (count) =>
    formatFigures(await find(count, { text: `Document ${count - 2}`, isFiltering: false })),
};

// Warm-up: the first calls compile code.
await measureWaiting(100);
console.log(
  `| | ${SIZES.map((count) => count.toLocaleString('en')).join(' | ')} |\n| --- |${' --- |'.repeat(SIZES.length)}`,
);
for (const [name, run] of Object.entries(ROWS)) {
  const cells: string[] = [];
  for (const count of SIZES) cells.push(await run(count));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
process.exit();
