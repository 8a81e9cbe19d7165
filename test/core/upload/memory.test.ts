import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { createSparseFile, startLoopback, uploadInChild } from '../../../tools/loopback.ts';

const PEAK = new URL('../../../tools/peak-memory.ts', import.meta.url).href;
const TELL_PEAK = `import { readPeakMiB } from '${PEAK}'; console.log(readPeakMiB('self'));`;
const service = await startLoopback();
const file = await createSparseFile(300 * 1024 ** 2);
afterAll(async () => {
  service.stop();
  await file.remove();
});

test('the measured peak is that of the process itself, not of its parent', () => {
  // Filled, so that the system really allocates it.
  const held = Buffer.alloc(300 * 1024 ** 2, 1);
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', TELL_PEAK]);
  expect(held.length).toBe(300 * 1024 ** 2);
  expect(Number(stdout)).toBeGreaterThan(10);
  expect(Number(stdout)).toBeLessThan(200);
});

test.each(['direct', 'multipart'] as const)(
  'a %s upload of 300 MiB takes less than 200 MiB of memory and prints no warning',
  async (way) => {
    const { peakMiB, stderr } = await uploadInChild({ origin: service.origin, path: file.path, method: way });
    expect(peakMiB).toBeLessThan(200);
    expect(stderr).toBe('');
  },
  120_000,
);
