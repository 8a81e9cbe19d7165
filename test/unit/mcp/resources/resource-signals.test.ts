/** What a resource asks the service for ends with whoever asked, and with the server. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import type { Account } from '../../../../mcp/account/account.ts';
import { createShutdownSignals } from '../../../../mcp/call/shutdown-signals.ts';
import { completeId } from '../../../../mcp/resources/complete-id.ts';
import { readResource } from '../../../../mcp/resources/read-resource.ts';
import { resourceKinds } from '../../../../mcp/resources/resource-kinds.ts';
import type { RequestOptions } from '../../../../src/index.ts';
import { standIn } from '../../../support/stand-in.ts';

/** An account whose service shows under which signal it is asked. */
function accountAsked() {
  const signals: (AbortSignal | undefined)[] = [];
  const ask = (_: object, { signal }: RequestOptions) => void signals.push(signal);
  const documents = {
    get: async (query: object, options: RequestOptions) => {
      ask(query, options);
      return { id: 'd' };
    },
    list: (query: object, options: RequestOptions) => {
      ask(query, options);
      return { collect: async () => [] };
    },
  };
  return { signals, account: standIn<Account>({ secrets: [], client: async () => ({ documents }) }) };
}

test.each(['caller', 'server'])('a document that is read ends with its %s', async (who) => {
  const [{ signals, account }, control, end] = [accountAsked(), new AbortController(), createShutdownSignals()];
  const [kind] = resourceKinds;
  if (!kind) throw new Error('There is no kind.');
  const mcp = standIn<ServerContext>({ mcpReq: { signal: control.signal } });
  await readResource({ kind, uri: new URL('docshare://documents/d'), id: 'd', account, mcp, shutdown: end });
  expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  if (who === 'caller') control.abort();
  else end.start({ readTimeoutMs: 0, writeTimeoutMs: 1000 });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test('ids that are looked up to complete one end with the server', async () => {
  const [{ signals, account }, end] = [accountAsked(), createShutdownSignals()];
  await completeId(account, 'documents', { typed: 'd', shutdown: end });
  end.start({ readTimeoutMs: 0, writeTimeoutMs: 1000 });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});
