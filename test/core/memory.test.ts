import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSparseFile, startLoopback, uploadInChild } from '../../scripts/loopback.ts';

let service: Awaited<ReturnType<typeof startLoopback>>;
let file: Awaited<ReturnType<typeof createSparseFile>>;

beforeAll(async () => {
  service = await startLoopback();
  file = await createSparseFile(512 * 1024 ** 2);
});
afterAll(async () => {
  service.stop();
  await file.remove();
});

test.each(['direct', 'multipart'] as const)(
  '512 MiB go %s in less than 200 MiB of memory, without a warning',
  async (way) => {
    const { peakMiB, stderr } = await uploadInChild({ origin: service.origin, path: file.path, way });
    expect(peakMiB).toBeLessThan(200);
    expect(stderr).toBe('');
  },
  120_000,
);
