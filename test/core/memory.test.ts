import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSparseFile, startLoopback, uploadInChild } from '../../tools/loopback.ts';

const PEAK = new URL('../../tools/peak-memory.ts', import.meta.url).href;
const TELL_PEAK = `import { readPeakMiB } from '${PEAK}'; console.log(readPeakMiB('self'));`;

let service: Awaited<ReturnType<typeof startLoopback>>;
let file: Awaited<ReturnType<typeof createSparseFile>>;

beforeAll(async () => {
  service = await startLoopback();
  file = await createSparseFile(300 * 1024 ** 2);
});
afterAll(async () => {
  service.stop();
  await file.remove();
});

test('what a process held is its own peak, not that of the one that started it', () => {
  // Touched, so that the system gives it.
  const held = Buffer.alloc(300 * 1024 ** 2, 1);
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', TELL_PEAK]);
  expect(held.length).toBe(300 * 1024 ** 2);
  expect(Number(stdout)).toBeGreaterThan(10);
  expect(Number(stdout)).toBeLessThan(200);
});

test.each(['direct', 'multipart'] as const)(
  '300 MiB go %s in less than 200 MiB of memory, without a warning',
  async (way) => {
    const { peakMiB, stderr } = await uploadInChild({ origin: service.origin, path: file.path, method: way });
    expect(peakMiB).toBeLessThan(200);
    expect(stderr).toBe('');
  },
  120_000,
);
