/** Measures the sandbox in its own process: start, requests per second, and memory for 1 GiB in each direction. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { readOptions } from '../scripts/read-options.ts';
import { readPeakMiB } from './peak-memory.ts';

readOptions({});

const GIB = 1024 ** 3;
const MEMORY_LIMIT_MIB = 250;

/** 1 GiB declared as a PDF with 1,024 pages, which are counted too. */
const CHUNK = Buffer.alloc(1024 * 1024, 'docshare ');
CHUNK.write('%PDF-1.7 << /Type /Page >>');

interface Running {
  readonly url: string;
  readonly key: string;
  readonly child: ChildProcess;
  readonly startMs: number;
}

async function startProcess(): Promise<Running> {
  const startedAt = performance.now();
  const main = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  if (!child.stderr) throw new Error('The sandbox has no stderr to announce itself on');
  for await (const line of createInterface(child.stderr)) {
    const ready = JSON.parse(line);
    const key = /dsk_\w+/.exec(output)?.[0] ?? '';
    return { url: ready.url, key, child, startMs: performance.now() - startedAt };
  }
  throw new Error('The sandbox ended before it was ready');
}

function* generateGibibyte(): Generator<Buffer> {
  for (let sent = 0; sent < GIB; sent += CHUNK.length) yield CHUNK;
}

async function uploadAsForm({ url, key }: Running, dispatcher: Agent): Promise<number> {
  const boundary = 'docshare-bench-boundary';
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const { statusCode, body } = await request(`${url}/documents`, {
    method: 'POST',
    dispatcher,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + GIB + tail.length),
    },
    body: Readable.from([head, ...generateGibibyte(), tail]),
  });
  return assertSize(statusCode, await body.json());
}

async function uploadToStorage({ url, key }: Running, dispatcher: Agent): Promise<number> {
  const send = async (path: string, fields: object) => {
    const { body } = await request(url + path, {
      method: 'POST',
      dispatcher,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    return body.json() as Promise<Record<string, unknown>>;
  };
  const { uploadUrl, headers, storageKey, token } = await send('/documents/uploads', {});
  const { statusCode, body } = await request(String(uploadUrl), {
    method: 'PUT',
    dispatcher,
    headers: { ...(headers as object), 'content-length': String(GIB) },
    body: Readable.from(generateGibibyte()),
  });
  await body.dump();
  return assertSize(statusCode, await send('/documents/uploads/finalize', { storageKey, token }));
}

function assertSize(status: number, document: unknown): number {
  const { size } = document as { size?: number };
  if (status >= 300 || size !== GIB) throw new Error(`The upload returned ${status} with size ${size}`);
  return size;
}

async function measureRequestsPerSecond({ url }: Running, dispatcher: Agent): Promise<number> {
  const calls = 2_000;
  const startedAt = performance.now();
  let remaining = calls;
  const worker = async () => {
    while (remaining-- > 0) {
      // A wrong key passes routing and logging, but not the limit, which would stop the measurement after 120.
      const { body } = await request(`${url}/links`, { dispatcher, headers: { authorization: 'Bearer none' } });
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return calls / ((performance.now() - startedAt) / 1000);
}

const row = (label: string, value: string) => console.log(`  ${label.padEnd(34)} ${value}`);

/** Measures in a new process, so that memory of an earlier upload does not hide that of this one. */
async function inFreshProcess(work: (running: Running, dispatcher: Agent) => Promise<void>): Promise<void> {
  const running = await startProcess();
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  try {
    await work(running, dispatcher);
  } finally {
    await dispatcher.close();
    running.child.kill('SIGTERM');
  }
}

console.log('sandbox');
await inFreshProcess(async (running, dispatcher) => {
  row('start to ready line', `${Math.round(running.startMs)} ms`);
  row('requests a second (16 at once)', String(Math.round(await measureRequestsPerSecond(running, dispatcher))));
  row('memory before any upload', `${Math.round(readPeakMiB(running.child.pid))} MiB`);
});
for (const [label, upload] of [
  ['1 GiB by multipart form', uploadAsForm],
  ['1 GiB to storage, finalized', uploadToStorage],
] as const) {
  await inFreshProcess(async (running, dispatcher) => {
    const startedAt = performance.now();
    await upload(running, dispatcher);
    const seconds = (performance.now() - startedAt) / 1000;
    const peak = readPeakMiB(running.child.pid);
    const ratio = (peak / MEMORY_LIMIT_MIB).toFixed(2);
    row(
      label,
      `${seconds.toFixed(1)} s, peak ${Math.round(peak)} MiB (${ratio} of the ${MEMORY_LIMIT_MIB} MiB allowed)`,
    );
    if (peak > MEMORY_LIMIT_MIB) process.exitCode = 1;
  });
}
