/** One call between its gate and its act: what a person is shown, and when nothing is begun. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, test, vi } from 'vitest';
import type { Account } from '../../../../mcp/account/account.ts';
import { type CallContext, callTool, type Services } from '../../../../mcp/call/call-tool.ts';
import { createIdempotencyStore } from '../../../../mcp/call/idempotency.ts';
import { createShutdownSignals } from '../../../../mcp/call/shutdown-signals.ts';
import type { HostConnection } from '../../../../mcp/confirm/channel.ts';
import type { Confirmation } from '../../../../mcp/confirm/confirm.ts';
import type { ConfirmableCall, ConfirmationResult } from '../../../../mcp/confirm/confirmable-call.ts';
import { createMemoryState } from '../../../../mcp/state/memory-state.ts';
import type { Tool } from '../../../../mcp/tool/tool.ts';
import { tools } from '../../../../mcp/tools/index.ts';
import type { JsonObject } from '../../../../src/records/fields.ts';
import { standIn } from '../../../support/stand-in.ts';

const KEY = 'key_of_the_call_1234567890';
const deleteLink = tools.find(({ name }) => name === 'delete_link') as Tool;

/** Calls `delete_link`, of which the service says `about`; `check` is the gate. */
async function callWith(scene: {
  about?: JsonObject;
  check: (act: ConfirmableCall) => Promise<ConfirmationResult>;
  signal?: AbortSignal;
  end?: Services['shutdown'];
}) {
  const run = vi.fn(async (_: Parameters<Tool['handler']>[0]) => ({ data: { deleted: true } }));
  const start = vi.fn(() => ({ end: () => undefined }));
  const tool: Tool = {
    ...deleteLink,
    confirmation: () => ({
      effect: 'links.delete l',
      describe: async () => ({ headline: 'Delete the link.', about: scene.about }),
    }),
    handler: run,
  };
  const state = createMemoryState();
  const open = async () => state;
  const services = standIn<Services>({
    confirm: 'auto',
    state: open,
    idempotencyStore: createIdempotencyStore({ state: open }),
    confirmation: standIn<Confirmation>({ request: scene.check }),
    audit: { start } as never,
    ...(scene.end && { shutdown: scene.end }),
  });
  const account = standIn<Account>({
    secrets: [KEY],
    getSharedFingerprint: () => 'print',
    client: async () => standIn({}),
  });
  const mcp = standIn<ServerContext>({ mcpReq: { signal: scene.signal ?? new AbortController().signal } });
  const connection = standIn<HostConnection>({});
  const result = await callTool(
    tool,
    { id: 'l' },
    standIn<CallContext>({ services, account, connection, mcp, signIn: undefined }),
  );
  return { result, run, start };
}

test('what a person is shown holds no signed address, no password and no key, wherever the service puts them', async () => {
  let shown: JsonObject | undefined;
  const { run } = await callWith({
    about: {
      name: 'Deck',
      sign_url: 'https://sign.test/s?token=sign-secret',
      files: [{ password: 'link-secret', at: 'https://store.test/f?X-Amz-Signature=stored-secret' }],
      note: `asked with ${KEY}`,
    },
    check: async (act) => {
      shown = await (await act.describe()).about;
      return { approved: true, approvedBy: 'form' };
    },
  });
  expect(shown).toMatchObject({ name: 'Deck' });
  expect(JSON.stringify(shown)).not.toMatch(/sign-secret|link-secret|stored-secret/);
  expect(JSON.stringify(shown)).not.toContain(KEY);
  expect(run).toHaveBeenCalledOnce();
});

test('a yes that comes when the call was cancelled begins nothing, and leaves no line of an act', async () => {
  const control = new AbortController();
  const { result, run, start } = await callWith({
    signal: control.signal,
    check: async () => {
      control.abort();
      return { approved: true, approvedBy: 'form' };
    },
  });
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).toContain('cancelled');
  expect([run.mock.calls, start.mock.calls]).toEqual([[], []]);
});

test('a yes that comes when the server is told to end begins nothing either', async () => {
  const end = createShutdownSignals();
  const { result, run, start } = await callWith({
    end,
    check: async () => {
      end.start({ readTimeoutMs: 0, writeTimeoutMs: 1000 });
      return { approved: true, approvedBy: 'form' };
    },
  });
  expect(JSON.stringify(result)).toContain('shut');
  expect([run.mock.calls, start.mock.calls]).toEqual([[], []]);
});

test('what a call has watched it lets go of: later ends reach no call that is over', async () => {
  const [control, end] = [new AbortController(), createShutdownSignals()];
  const { run } = await callWith({
    end,
    signal: control.signal,
    check: async () => ({ approved: true, approvedBy: 'form' }),
  });
  control.abort();
  end.start({ readTimeoutMs: 0, writeTimeoutMs: 0 });
  expect(run.mock.calls[0]?.[0].options.signal?.aborted).toBe(false);
});
