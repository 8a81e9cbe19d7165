import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saveFile } from '../../mcp/files/save-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-save-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function* chunks(count: number, between: (index: number) => void = () => undefined) {
  for (let index = 0; index < count; index++) {
    between(index);
    yield Buffer.alloc(1000, index);
  }
}

test('a whole body becomes a whole file that only its owner reads', async () => {
  const path = join(folder, 'a.pdf');
  const seen: number[] = [];
  const { sizeBytes, sha256 } = await saveFile(path, chunks(3), { onBytes: (bytes) => seen.push(bytes) });
  expect({ sizeBytes, length: readFileSync(path).length, seen }).toEqual({
    sizeBytes: 3000,
    length: 3000,
    seen: [1000, 2000, 3000],
  });
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.pdf']);
});

test('a body that breaks, or a cancel, leaves nothing behind', async () => {
  const broken = chunks(9, (index) => {
    if (index === 5) throw new Error('cut off');
  });
  await expect(saveFile(join(folder, 'a.pdf'), broken, {})).rejects.toThrow('cut off');
  const abort = new AbortController();
  const cancelled = chunks(9, (index) => {
    if (index === 5) abort.abort();
  });
  await expect(saveFile(join(folder, 'b.pdf'), cancelled, { signal: abort.signal })).rejects.toThrow(/abort/i);
  expect(readdirSync(folder)).toEqual([]);
});

test('a name that the disk does not take is told, whatever the reason', async () => {
  const saved = saveFile(join(folder, `${'n'.repeat(300)}.pdf`), chunks(1), {});
  await expect(saved).rejects.toMatchObject({ code: 'not_saved', message: expect.stringContaining('ENAMETOOLONG') });
  expect(readdirSync(folder)).toEqual([]);
});

test('an existing file stays as it is', async () => {
  const path = join(folder, 'a.pdf');
  writeFileSync(path, 'mine');
  await expect(saveFile(path, chunks(2), {})).rejects.toMatchObject({ code: 'file_exists' });
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['a.pdf']);
});
