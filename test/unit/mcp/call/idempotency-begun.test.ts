/** A write that may run more than once, where the state outlives the process: what a server that is killed leaves. */
import { expect, test, vi } from 'vitest';
import { createIdempotencyStore } from '../../../../mcp/call/idempotency.ts';
import { createMemoryState } from '../../../../mcp/state/memory-state.ts';
import type { ToolResult } from '../../../../mcp/tool/tool.ts';
import { UnknownOutcomeError } from '../../../../src/errors.ts';

const { signal } = new AbortController();
const ANY = { deduplicate: false, mayRepeat: false, signal };
const MADE: ToolResult = { data: { done: true, id: 'c1' } };
const DOUBT = new UnknownOutcomeError('?', 'contacts.create');
const UNKNOWN = { kind: 'unknown', secondsAgo: 0 };

/** Servers on one file. */
function createServers() {
  const memory = createMemoryState();
  const note = vi.fn(memory.writeEventually);
  const state = {
    ...memory,
    writeEventually: note,
    getStatus: () => ({ ...memory.getStatus(), backend: 'file' as const }),
  };
  return { note, server: () => createIdempotencyStore({ state: async () => state }) };
}

test('while it runs, and where its server ends meanwhile, other servers can’t know; afterwards nothing is left', async () => {
  const { server } = createServers();
  const [first, second] = [server(), server()];
  const { promise, resolve } = Promise.withResolvers<ToolResult>();
  const reached = Promise.withResolvers<void>();
  const running = first.run(
    'd',
    () => {
      reached.resolve();
      return promise;
    },
    ANY,
  );
  await reached.promise;
  expect(await second.find('d', { signal })).toEqual(UNKNOWN);
  expect(await first.find('d', { signal })).toBeUndefined();
  expect(await second.find('another', { signal })).toBeUndefined();
  resolve(MADE);
  expect(await running).toBe(MADE);
  expect(await second.find('d', { signal })).toBeUndefined();
});

test('two of the same at one server both run, and the first to fail leaves the note to the other', async () => {
  const { server } = createServers();
  const [first, second] = [server(), server()];
  const { promise, resolve } = Promise.withResolvers<ToolResult>();
  const reached = Promise.withResolvers<void>();
  const running = first.run(
    'd',
    () => {
      reached.resolve();
      return promise;
    },
    ANY,
  );
  await reached.promise;
  const refused = new Error('refused');
  await expect(first.run('d', () => Promise.reject(refused), ANY)).rejects.toBe(refused);
  expect(await second.find('d', { signal })).toEqual(UNKNOWN);
  resolve(MADE);
  await running;
  expect(await second.find('d', { signal })).toBeUndefined();
});

test('one that fails otherwise leaves what stood there: a doubt, or nothing', async () => {
  const { server } = createServers();
  const [first, second] = [server(), server()];
  const refused = new Error('refused');
  await expect(first.run('d', () => Promise.reject(refused), ANY)).rejects.toBe(refused);
  expect(await second.find('d', { signal })).toBeUndefined();
  await expect(first.run('d', () => Promise.reject(DOUBT), ANY)).rejects.toBe(DOUBT);
  expect(await first.find('d', { signal })).toEqual(UNKNOWN);
  await expect(first.run('d', () => Promise.reject(refused), ANY)).rejects.toBe(refused);
  expect(await first.find('d', { signal })).toEqual(UNKNOWN);
});

test('what only this process remembers is not noted before it is known', async () => {
  const memory = createMemoryState();
  const note = vi.fn(memory.writeEventually);
  const ledger = createIdempotencyStore({ state: async () => ({ ...memory, writeEventually: note }) });
  await ledger.run('d', async () => MADE, ANY);
  expect(note).not.toHaveBeenCalled();
});

test('a state that can’t be read or written changes nothing', async () => {
  const memory = createMemoryState();
  const state = {
    ...memory,
    get: () => Promise.reject(new Error('away')),
    writeEventually: async () => false,
    getStatus: () => ({ ...memory.getStatus(), backend: 'file' as const }),
  };
  const ledger = createIdempotencyStore({ state: async () => state });
  expect(await ledger.run('d', async () => MADE, ANY)).toBe(MADE);
});
