/** The file that servers of one machine share: whose it is, and what is known when it fails. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadSqlite } from '../../../../mcp/state/load-sqlite.ts';
import { createStateProvider } from '../../../../mcp/state/state-provider.ts';
import { texts } from '../../../mcp/texts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-state-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LATER = 4_000_000_000_000;
const modeOf = (path: string) => statSync(path).mode & 0o777;

test.skipIf(process.platform === 'win32').each([0o040, 0o020, 0o004])(
  'what others may open by the mode %i, a group too, is closed to them',
  async (others) => {
    const own = join(folder, 'own');
    const file = join(own, 'mcp-state.db');
    mkdirSync(own);
    writeFileSync(file, '');
    chmodSync(file, 0o600 | others);
    chmodSync(own, 0o700 | others);
    const open = createStateProvider({ folder: own, onFailure: () => undefined });
    await open();
    expect([modeOf(own), modeOf(file)]).toEqual([0o700, 0o600]);
    await open.close();
  },
);

test('what was claimed stays claimed when the file fails: it would be done a second time', async () => {
  const failures: unknown[] = [];
  const open = createStateProvider({ folder, onFailure: (error) => failures.push(error) });
  const state = await open();
  expect(await state.putIfAbsent('key', { by: 'me' }, LATER)).toBeUndefined();
  await state.put('turn', { at: 1 }, LATER);
  expect(await state.compareAndSwap('turn', { from: { at: 1 }, to: { at: 2 }, until: LATER })).toBe(true);
  await state.close();
  expect(await state.putIfAbsent('key', { by: 'you' }, LATER)).toEqual({ by: 'me' });
  expect(await state.get('turn')).toEqual({ at: 2 });
  expect(failures).toHaveLength(1);
});

test('what has ended is not kept in the file, and one that ends while it is claimed is claimed anew', async () => {
  const moments: number[] = [];
  const now = () => moments.shift() ?? 1000;
  const open = createStateProvider({ folder, onFailure: () => undefined, now });
  const state = await open();
  await state.put('old', { at: 1 }, 1000);
  moments.length = 0;
  // It stands when it is claimed, and has ended when it is looked at.
  moments.push(999, 1000);
  await state.put('one', { at: 1 }, 1000);
  moments.length = 0;
  moments.push(999, 1000);
  expect(await state.putIfAbsent('one', { at: 2 }, 2000)).toBeUndefined();
  expect(await state.get('one')).toEqual({ at: 2 });
  await state.put('two', { at: 2 }, 2000);
  await state.close();
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(join(folder, 'mcp-state.db'));
  const kept = database.prepare('SELECT key FROM entries ORDER BY key').all();
  database.close();
  expect(kept.map(({ key }) => key)).toEqual(['one', 'two']);
});

test.skipIf(process.platform === 'win32')('the folder of another user is not used: he could read it', async () => {
  const failures: unknown[] = [];
  const owner = vi.spyOn(process, 'getuid').mockReturnValue(statSync(folder).uid + 1);
  try {
    const state = await createStateProvider({ folder, onFailure: (error) => failures.push(error) })();
    expect(state.getStatus().backend).toBe('memory');
    expect(String(failures)).toContain(texts.belongsToAnotherUser);
  } finally {
    owner.mockRestore();
  }
});
