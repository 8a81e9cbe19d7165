import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Json, Kind, Outcome } from './mcp-host.ts';
import { outcomeOf } from './mcp-host.ts';

export interface RemoteHost {
  tools(): Promise<{ name: string; inputSchema: Json; description?: string }[]>;
  call(name: string, args?: Json): Promise<Outcome>;
  close(): Promise<void>;
}

export interface RemoteOptions {
  readonly kind: Kind;
  readonly url: URL;
  readonly token: string;
  /** Declares URL elicitation, and handles each URL with this. */
  readonly onAddress?: (asked: { url: string; message: string }) => Promise<Json>;
  /** Declares form elicitation, and answers each form with this. */
  readonly onForm?: () => Promise<Json>;
}

/** Opens a real client on a server over HTTP, as a host in the cloud would. */
export async function openRemote(options: RemoteOptions): Promise<RemoteHost> {
  const { kind, url, token, onAddress, onForm } = options;
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const info = { name: 'test-host', version: '1.0.0' };
  const capabilities = onAddress ? { elicitation: { url: {} } } : onForm ? { elicitation: { form: {} } } : {};
  if (kind === 'sdk 1.x') {
    const client = new LegacyClient(info, { capabilities });
    await client.connect(new LegacyTransport(url, { requestInit }) as never);
    return {
      tools: async () => (await client.listTools()).tools as never,
      call: async (name, input = {}) => outcomeOf(await client.callTool({ name, arguments: input })),
      close: () => client.close(),
    };
  }
  const mode = kind === 'sdk 2.x modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new ModernClient(info, { capabilities, versionNegotiation: { mode } });
  if (onAddress)
    client.setRequestHandler('elicitation/create', async ({ params }) => onAddress(params as never) as never);
  if (onForm) client.setRequestHandler('elicitation/create', async () => onForm() as never);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools as never,
    call: async (name, input = {}) => outcomeOf(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  };
}
