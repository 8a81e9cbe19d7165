import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { deleteJournal } from '../../learn/write/journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'learn-journal-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a journal goes with what a kill in the middle of writing it left, and nothing else does', async () => {
  const name = '.docshare-learn-0123456789ab.json';
  const others = [
    '.docshare-learn-ba9876543210.json',
    '.docshare-learn-ba9876543210.json.0a1b2c3d.tmp',
    '.mine.tmp',
    'mine.tmp',
  ];
  for (const one of [name, `${name}.2b3ad92c.tmp`, ...others]) writeFileSync(join(folder, one), '');
  await deleteJournal('');
  await deleteJournal(join(folder, '.mine'));
  await deleteJournal(join(folder, name));
  expect(readdirSync(folder).sort()).toEqual(others.sort());
});
