import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Accounts } from '../../mcp/account/account.ts';
import type { ConfirmMode } from '../../mcp/call/call-tool.ts';
import { createConfirmTokens } from '../../mcp/call/confirm-token.ts';
import { createGate } from '../../mcp/call/gate.ts';
import { createRepeatGuard } from '../../mcp/call/repeat-guard.ts';
import { createFileDoor } from '../../mcp/files/file-door.ts';
import { createServerFactory } from '../../mcp/server.ts';
import { chooseTools } from '../../mcp/start/menu.ts';
import type { Client as DocshareClient } from '../../src/index.ts';

/** The server's own factory without a process: for what needs a clock, a bound or a limiter of the test's choice. */
export async function openInProcess(options: {
  client: DocshareClient;
  confirm?: ConfirmMode;
  now?: () => number;
  formWaitMs?: number;
  forms?: boolean;
  files?: readonly string[];
}): Promise<{ client: Client; close(): Promise<void> }> {
  const { client: docshare, confirm = 'off', now = Date.now } = options;
  const accounts: Accounts = {
    of: (apiKey) => ({ fingerprint: apiKey ?? 'k', secrets: [], client: async () => docshare }),
    close: async () => undefined,
  };
  const gate = createGate({
    tokens: createConfirmTokens({ now }),
    ...(options.formWaitMs === undefined ? {} : { formWaitMs: options.formWaitMs }),
  });
  const files = createFileDoor(options.files ?? []);
  const factory = createServerFactory({
    tools: chooseTools({}),
    accounts,
    apiKey: undefined,
    services: { confirm, gate, repeats: createRepeatGuard({ now }), files },
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  // Both lines of the SDK speak the same messages; only their types differ.
  const handle = serveStdio(factory, { transport: far as never });
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
