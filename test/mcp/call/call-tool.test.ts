import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, test, vi } from 'vitest';
import type { Account } from '../../../mcp/account/account.ts';
import { type CallContext, callTool, type Services } from '../../../mcp/call/call-tool.ts';
import { createIdempotencyStore } from '../../../mcp/call/idempotency.ts';
import { createShutdownSignals } from '../../../mcp/call/shutdown-signals.ts';
import type { Confirmation } from '../../../mcp/confirm/confirm.ts';
import type { Tool } from '../../../mcp/tool/tool.ts';
import { createStub } from '../../support/create-stub.ts';
import { createLog, createMemoryState, tools } from '../../support/mcp-parts.ts';
import { texts } from '../texts.ts';

const KEY = 'dk_live_c0ffee00c0ffee00';
const getTool = (name: string) => tools.find((tool) => tool.name === name) as Tool;

function call(tool: Tool, services: Partial<Services>, { signal } = new AbortController()) {
  const account = createStub<Account>({
    secrets: [KEY],
    getSharedFingerprint: () => 'print',
    keyStatus: createStub<Account['keyStatus']>({ requireScope: () => undefined }),
    client: async () => createStub({}),
  });
  const mcp = createStub<ServerContext>({ mcpReq: { signal, requestState: () => undefined } });
  const context = { services: createStub<Services>(services), account, connection: {}, mcp, signIn: undefined };
  return callTool(tool, tool.name === 'delete_link' ? { id: 'l' } : {}, createStub<CallContext>(context));
}

/** Runs a call that a user approves, while `duringApproval` runs. */
async function approve(
  duringApproval: (caller: AbortController, end: ReturnType<typeof createShutdownSignals>) => void,
) {
  const [caller, end] = [new AbortController(), createShutdownSignals()];
  const handler = vi.fn(async (_: Parameters<Tool['handler']>[0]) => ({ data: { deleted: true } }));
  const start = vi.fn(() => ({ end: () => undefined }));
  const confirmation = () => ({
    effects: ['links.delete l'],
    describe: async () => ({ headline: 'Delete the link.' }),
  });
  const state = createMemoryState();
  const services: Partial<Services> = {
    confirm: 'auto',
    state: async () => state,
    idempotencyStore: createIdempotencyStore({ state: async () => state }),
    confirmation: createStub<Confirmation>({
      request: async () => {
        duringApproval(caller, end);
        return { approved: true, approvedBy: 'form' };
      },
    }),
    audit: { start } as never,
    shutdown: end,
  };
  const result = await call({ ...getTool('delete_link'), confirmation, handler }, services, caller);
  return { caller, end, handler, start, result: JSON.stringify(result) };
}

test.each<[string, Parameters<typeof approve>[0], string]>([
  ['the call was cancelled', (caller) => caller.abort(), 'cancelled'],
  ['the server is shutting down', (_, end) => end.start({ readTimeoutMs: 0, writeTimeoutMs: 1000 }), 'shut'],
])('an approval after %s starts nothing and writes no audit line', async (_, duringApproval, message) => {
  const { result, handler, start } = await approve(duringApproval);
  expect(result).toContain('"isError":true');
  expect(result).toContain(message);
  expect([handler.mock.calls, start.mock.calls]).toEqual([[], []]);
});

test('a later cancel or shutdown does not abort the signal of a call that is complete', async () => {
  const { caller, end, handler } = await approve(() => undefined);
  caller.abort();
  end.start({ readTimeoutMs: 0, writeTimeoutMs: 0 });
  expect(handler.mock.calls[0]?.[0].options.signal?.aborted).toBe(false);
});

test.each([
  [new TypeError(`no thing as ${KEY}`), /^TypeError: no thing as \S+$/, /^call\/call-tool\.test\.ts\S*:\d+:\d+$/],
  ['a text', /^string$/, undefined],
])('the caller sees no internal error, and the log has its message and position: %s', async (fault, reason, at) => {
  const lines: string[] = [];
  const log = createLog({ level: 'error', secrets: [KEY], write: (line) => lines.push(line) });
  const result = JSON.stringify(await call(getTool('whoami'), { log, state: () => Promise.reject(fault) }));
  expect(result).toContain(texts.internalErrorOfThisServer);
  expect(result).not.toMatch(/such thing|call-tool\.test/);
  const [line = ''] = lines;
  expect(line).not.toContain(KEY);
  expect(JSON.parse(line)).toMatchObject({
    ...{ level: 'error', event: 'internal', tool: 'whoami', reason: expect.stringMatching(reason) },
    ...(at && { at: expect.stringMatching(at) }),
  });
});
