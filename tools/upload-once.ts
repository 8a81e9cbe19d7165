/** Uploads one file and prints the duration and peak memory as one JSON line. */
import { open } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { createClient } from '../src/index.ts';
import { readPeakMiB } from './peak-memory.ts';

const [origin = '', path = '', method = 'direct'] = process.argv.slice(2);

/** Uploads the same file with undici alone, for comparison. */
async function uploadWithUndici(): Promise<void> {
  const dispatcher = new Agent({ allowH2: false });
  const handle = await open(path);
  const { size } = await handle.stat();
  const body = handle.createReadStream({ highWaterMark: 256 * 1024 });
  const headers = { 'content-length': String(size) };
  const response = await request(`${origin}/storage`, { method: 'PUT', body, headers, dispatcher });
  await response.body.dump();
  await dispatcher.close();
}

async function uploadWithClient(via: 'direct' | 'multipart'): Promise<void> {
  const client = createClient({ apiKey: 'bench', baseUrl: `${origin}/api/v1` });
  await client.upload({ path }, { via });
  await client.close();
}

const startedAt = performance.now();
await (method === 'bare' ? uploadWithUndici() : uploadWithClient(method === 'multipart' ? 'multipart' : 'direct'));
const ms = Math.round(performance.now() - startedAt);
console.log(JSON.stringify({ ms, peakMiB: Math.round(readPeakMiB('self')) }));
