import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Accounts } from '../../mcp/account/account.ts';
import { createKeyObserver } from '../../mcp/account/key-observer.ts';
import type { ConfirmMode } from '../../mcp/call/call-tool.ts';
import { createIdempotencyStore } from '../../mcp/call/idempotency.ts';
import { createConfirmation } from '../../mcp/confirm/confirm.ts';
import { createFileAccess } from '../../mcp/files/file-access.ts';
import { selectToolset } from '../../mcp/server/select-toolset.ts';
import { createServerFactory, type ServerSettings } from '../../mcp/server-factory.ts';
import type { StateProvider } from '../../mcp/state/shared-state.ts';
import { createStateProvider } from '../../mcp/state/state-provider.ts';
import type { Client as DocshareClient } from '../../src/index.ts';
import { toOpenClient } from '../../src/open-client.ts';

export interface InProcess {
  readonly client: DocshareClient;
  readonly confirm?: ConfirmMode;
  readonly now?: () => number;
  readonly formWaitMs?: number;
  readonly forms?: boolean;
  /** Minimum time in which a person can answer (default: none). */
  readonly minAnswerMs?: number;
  readonly sharedState?: StateProvider;
  readonly confirmationPage?: ServerSettings['confirmationPage'];
  readonly files?: readonly string[];
  /** Folder of the state that it shares with others (default: memory). */
  readonly state?: string;
}

/** Creates the server's own factory, for the entry point that the test chooses. */
export function createFactory(options: InProcess) {
  const { client: docshare, now = Date.now } = options;
  // Without a form, a host confirms by token, unless its options say otherwise.
  const byToken = options.confirm === 'auto' && !options.forms && !options.confirmationPage;
  const confirm = byToken ? 'unattended' : (options.confirm ?? 'off');
  const accounts: Accounts = {
    get: (apiKey) => ({
      fingerprint: apiKey ?? 'k',
      getSharedFingerprint: () => apiKey ?? 'k',
      secrets: [],
      keyStatus: createKeyObserver(docshare.baseUrl, now),
      client: async () => toOpenClient(docshare),
    }),
    onKeyRejected: () => undefined,
    close: async () => undefined,
  };
  const state = options.sharedState ?? createStateProvider({ folder: options.state, onFailure: () => undefined, now });
  const confirmation = createConfirmation({
    state,
    now,
    unattended: confirm === 'unattended',
    minAnswerMs: options.minAnswerMs ?? 0,
    ...(options.formWaitMs === undefined ? {} : { formWaitMs: options.formWaitMs }),
  });
  const files = createFileAccess(options.files ?? []);
  const { tools, readableGroups } = selectToolset({});
  const mode = { readOnly: false, sandbox: false, confirm, readableGroups };
  return createServerFactory({
    tools,
    accounts,
    apiKey: undefined,
    ...(options.confirmationPage ? { confirmationPage: options.confirmationPage } : {}),
    services: { confirm, mode, confirmation, state, idempotencyStore: createIdempotencyStore({ state, now }), files },
  });
}

/** Creates the server's own factory without a process, with the test's clock, limits or limiter. */
export async function openInProcess(options: InProcess): Promise<{ client: Client; close(): Promise<void> }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  // Both versions of the SDK send the same messages; only their types differ.
  const handle = serveStdio(createFactory(options), { transport: far as never });
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: options.forms ? { elicitation: { form: {} } } : {} },
  );
  await client.connect(near);
  return {
    client,
    async close() {
      await client.close();
      await handle.close();
    },
  };
}

/** A host of the modern protocol that sends single messages, so that a test can answer forms late, twice or wrongly. */
export async function openRaw(options: InProcess) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(createFactory(options), { transport: far as never });
  const waiting = new Map<unknown, (result: Record<string, unknown>) => void>();
  near.onmessage = (message) => {
    if (!('id' in message) || 'method' in message) return;
    waiting.get(message.id)?.(('result' in message ? message.result : message) as Record<string, unknown>);
  };
  await near.start();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': options.forms ? { elicitation: { form: {} } } : {},
  };
  let id = 0;
  return {
    call(
      name: string,
      args: object,
      answer: { inputResponses?: object; requestState?: string } = {},
    ): Promise<Record<string, unknown>> {
      id += 1;
      const own = id;
      const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
      waiting.set(own, resolve);
      const params = { name, arguments: args, _meta, ...answer };
      void near.send({ jsonrpc: '2.0', id: own, method: 'tools/call', params } as never);
      return promise;
    },
    cancel: () =>
      near.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, _meta } } as never),
    close: () => handle.close(),
  };
}
