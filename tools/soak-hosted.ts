/**
 * Runs one hostile sign-in beside twenty honest ones, on two replicas and a real Redis:
 *   node tools/soak-hosted.ts [MINUTES]   default: 10; may be a fraction
 * Prints the results of the honest calls and the peak memory of each process. Exits with 1 if an honest call failed.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createSandbox } from '../sandbox/index.ts';
import { exitWithUsageError, readOptionsAndFiles } from '../scripts/read-options.ts';
import { startReplicas } from '../scripts/replicas.ts';
import { callAt, postJson } from '../test/support/hosted-calls.ts';
import { refreshAt } from '../test/support/hosted-oauth.ts';
import { tokensAt } from '../test/support/hosted-visitor.ts';
import { startRedis } from '../test/support/redis-server.ts';

const [argument = '10', ...extraArguments] = readOptionsAndFiles({}).positionals;
const minutes = Number(argument);
if (!(minutes > 0 && minutes <= 1440) || extraArguments.length > 0)
  exitWithUsageError('soak-hosted takes the number of minutes, at most 1440.');

const MIB = 1024 * 1024;
const HONEST = 20;
const BOMB = gzipSync(`{"id":"doc_bomb","name":"${'a'.repeat(31 * MIB)}"}`);

/** Service whose responses to the hostile sign-in are gzip bombs or arrive very slowly. */
const sandbox = await createSandbox();
const service = createServer((incoming, outgoing) => {
  const path = incoming.url ?? '';
  if (path.includes('doc_bomb')) {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(BOMB);
  } else if (path.includes('doc_drip')) {
    outgoing.writeHead(200, { 'content-type': 'application/json' }).write(`{"name":"${'d'.repeat(2 * MIB)}`);
    const drip = setInterval(() => outgoing.write('d'.repeat(1000)), 100);
    outgoing.once('close', () => clearInterval(drip));
  } else {
    const { method, headers } = incoming;
    const forwarded = request(new URL(path, sandbox.url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  }
}).listen(0, '127.0.0.1');
await once(service, 'listening');
const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api/v1`;
const redis = await startRedis(['--maxmemory', '256mb', '--maxmemory-policy', 'noeviction']);
const env = {
  DOCSHARE_SECRETS: randomBytes(32).toString('base64url'),
  DOCSHARE_REDIS_URL: redis.url,
  // Heap limit of both deployments, whose containers have 768 MiB.
  NODE_OPTIONS: '--max-old-space-size=384',
};
const replicas = await startReplicas({ count: 2, baseUrl, env, args: ['--log-level', 'error'] });
const { origin } = replicas;

const honest: Awaited<ReturnType<typeof tokensAt>>[] = [];
for (let index = 0; index < HONEST; index++) honest.push(await tokensAt(origin, { key: sandbox.key() }));
const hostile = (await tokensAt(origin, { key: sandbox.key() })).tokens.access_token;

const end = Date.now() + minutes * 60_000;
const failures: string[] = [];
const durations: number[] = [];
const attacks: Record<string, number> = {};
const peaks: Record<string, number> = {};

async function repeat(pauseMs: number, run: () => Promise<unknown>): Promise<void> {
  while (Date.now() < end) {
    await run();
    await sleep(pauseMs);
  }
}

/** Calls of one honest user: reads, writes, uploads and refreshes. */
async function beHonest({ host, tokens }: (typeof honest)[number], index: number): Promise<void> {
  let current = tokens;
  let round = index;
  const text = Buffer.from('%PDF-1.7 honest').toString('base64');
  const calls: readonly (readonly [string, object])[] = [
    ['get_usage', {}],
    ['list_documents', { limit: 5 }],
    ['upload_document', { name: 'Deck.pdf', content: text }],
    ['list_links', { limit: 5 }],
  ];
  await sleep(index * 100);
  await repeat(4000, async () => {
    round += 1;
    const [name, args] = calls[round % calls.length] ?? ['get_usage', {}];
    const startedAt = performance.now();
    try {
      const { status, isError, data } = await callAt(origin, current.access_token, name, args);
      if (status !== 200 || isError) failures.push(`${name}: ${status} ${JSON.stringify(data).slice(0, 300)}`);
      if (round % 10 === 0) {
        const { status: refreshed, body } = await refreshAt(origin, host, current.refresh_token);
        if (refreshed === 200) current = body as typeof current;
        else failures.push(`refresh: ${refreshed} ${JSON.stringify(body)}`);
      }
    } catch (error) {
      failures.push(`${name}: ${error}`);
    }
    durations.push(performance.now() - startedAt);
  });
}

const ATTACKS: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
  question: (n) =>
    callAt(origin, hostile, 'create_webhook', { url: 'https://a.example/in', events: [`${n}`.padEnd(59_000, 'e')] }),
  upload: async (n) => {
    const { data } = await callAt(origin, hostile, 'upload_document', { name: `${n}.pdf` });
    if (typeof data['upload_url'] !== 'string') return;
    await fetch(data['upload_url'], { method: 'PUT', body: Buffer.alloc(MIB, '%PDF-1.7 '), redirect: 'manual' });
  },
  upload_by_url: (n) => callAt(origin, hostile, 'upload_document', { url: `https://h${n}.invalid/a.pdf` }),
  bomb: () => callAt(origin, hostile, 'get_document', { id: 'doc_bomb' }),
  drip: () => callAt(origin, hostile, 'get_document', { id: 'doc_drip' }),
  registration: (n) => postJson(origin, '/register', { redirect_uris: [`https://a.example/${n}`.padEnd(1000, 'x')] }),
  app: (n) => fetch(`${origin}/authorize?client_id=https%3A%2F%2Fh${n}.invalid%2Fa&redirect_uri=https://a.example/`),
  body: () => sendUnfinishedBody(),
};

/** Announces 8 MiB, but sends only part of it. */
async function sendUnfinishedBody(): Promise<void> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = [`POST /mcp HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${hostile}`];
  socket.write(`${[...head, 'Content-Type: application/json', `Content-Length: ${8 * MIB}`].join('\r\n')}\r\n\r\n`);
  socket.write(Buffer.alloc(MIB, '['));
  await Promise.race([once(socket, 'close'), sleep(5000)]);
  socket.destroy();
}

async function attack([name, run]: readonly [string, (n: number) => Promise<unknown>]): Promise<void> {
  await repeat(20, async () => {
    attacks[name] = (attacks[name] ?? 0) + 1;
    // The response does not matter.
    await run(attacks[name]).catch(() => undefined);
  });
}

/** Returns the memory of a process in MB. */
const readMegabytes = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
async function watch(): Promise<void> {
  const pids = { redis: redis.pid(), ...Object.fromEntries(replicas.all.map(({ name, pid }) => [name, pid])) };
  await repeat(500, async () => {
    for (const [name, pid] of Object.entries(pids)) peaks[name] = Math.max(peaks[name] ?? 0, readMegabytes(pid));
  });
}

// Slow and unfinished bodies take long, so as many as allowed run at once.
const attackers = Object.entries(ATTACKS).flatMap((entry) => Array.from({ length: 6 }, () => attack(entry)));
const attacking = Promise.allSettled(attackers);
await Promise.all([...honest.map(beHonest), watch()]);
durations.sort((a, b) => a - b);
const quantile = (part: number) => Math.round(durations[Math.floor(durations.length * part)] ?? 0);
console.log(
  JSON.stringify({
    minutes,
    honest: { calls: durations.length, failed: failures.length, failures: failures.slice(0, 5) },
    milliseconds: { median: quantile(0.5), p99: quantile(0.99), max: Math.round(durations.at(-1) ?? 0) },
    attacks,
    peak_megabytes: peaks,
  }),
);
await replicas.close();
await attacking;
service.closeAllConnections();
service.close();
await redis.close();
await sandbox.close();
process.exitCode = failures.length > 0 ? 1 : 0;
