import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Starts the loopback service in its own process, so that it takes no CPU time from the measured one. */
export async function startLoopback(): Promise<{ origin: string; stop: () => void }> {
  const child = spawn(process.execPath, [resolveScript('loopback-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [origin] = await once(createInterface(child.stdout), 'line');
  return { origin: String(origin), stop: () => child.kill() };
}

/** Creates a sparse file of this size. */
export async function createSparseFile(sizeBytes: number): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'docshare-bench-'));
  const path = join(folder, 'large.bin');
  await writeFile(path, '');
  await truncate(path, sizeBytes);
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** Uploads a file in a new process. */
export async function uploadInChild(upload: {
  origin: string;
  path: string;
  method: 'direct' | 'multipart' | 'bare';
}): Promise<{ ms: number; peakMiB: number; stderr: string }> {
  const args = [resolveScript('upload-once.ts'), upload.origin, upload.path, upload.method];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  return { ...JSON.parse(stdout), stderr };
}

function resolveScript(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
