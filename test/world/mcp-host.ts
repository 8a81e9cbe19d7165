import { fileURLToPath } from 'node:url';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export type Json = Record<string, unknown>;

/** What real hosts are built on: the maintenance line, and the stable line in both eras of the protocol. */
export const KINDS = ['sdk 1.x', 'sdk 2.x legacy', 'sdk 2.x modern'] as const;
export type Kind = (typeof KINDS)[number];

export interface Outcome {
  readonly isError: boolean;
  /** `structuredContent`, or `{}`. */
  readonly data: Json;
  readonly text: string;
  /** What stands in `content` behind the text. */
  readonly attached: Json[];
  /** The error object of a failed call. */
  readonly error: Json;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations?: Json;
}

export interface Host {
  readonly protocol: string | undefined;
  readonly instructions: string | undefined;
  tools(): Promise<ListedTool[]>;
  call(
    name: string,
    args?: Json,
    options?: { signal?: AbortSignal; onprogress?: (progress: Json) => void; timeout?: number },
  ): Promise<Outcome>;
  stderr(): string;
  close(): Promise<void>;
}

export interface HostOptions {
  readonly kind?: Kind;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** The folder of the state that it shares with others; memory unless told. */
  readonly state?: string;
  /** Declares forms and answers them with this. */
  readonly form?: (message: string) => Promise<Json>;
}

const main = fileURLToPath(new URL('../../mcp/main.ts', import.meta.url));

/** Opens a real client on a real server process, as a host would. */
export async function openHost(options: HostOptions = {}): Promise<Host> {
  const { kind = 'sdk 1.x', args = [], env = {}, form, state = 'memory' } = options;
  const server = {
    command: process.execPath,
    args: [main, '--state', state, ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe' as const,
    ...(options.cwd ? { cwd: options.cwd } : {}),
  };
  const capabilities = form ? { elicitation: { form: {} } } : {};
  const info = { name: 'test-host', version: '1.0.0' };
  let errors = '';
  const hear = (chunk: Buffer) => {
    errors += chunk.toString();
  };
  if (kind === 'sdk 1.x') {
    const client = new LegacyClient(info, { capabilities });
    if (form)
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => form(params.message) as never);
    const transport = new LegacyStdio(server);
    transport.stderr?.on('data', hear);
    await client.connect(transport);
    return {
      protocol: '2025-11-25',
      instructions: client.getInstructions(),
      tools: async () => (await client.listTools()).tools as ListedTool[],
      call: async (name, input = {}, more = {}) =>
        outcomeOf(await client.callTool({ name, arguments: input }, undefined, more as never)),
      stderr: () => errors,
      close: () => client.close(),
    };
  }
  const mode = kind === 'sdk 2.x modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new ModernClient(info, { capabilities, versionNegotiation: { mode } });
  if (form)
    client.setRequestHandler('elicitation/create', async ({ params }) => form(params.message) as never);
  const transport = new ModernStdio(server);
  transport.stderr?.on('data', hear);
  await client.connect(transport);
  return {
    protocol: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, input = {}, more = {}) =>
      outcomeOf(await client.callTool({ name, arguments: input }, more as never)),
    stderr: () => errors,
    close: () => client.close(),
  };
}

function outcomeOf(result: object): Outcome {
  const { isError, structuredContent, content } = result as {
    isError?: boolean;
    structuredContent?: Json;
    content?: (Json & { text?: string })[];
  };
  const text = content?.[0]?.text ?? '';
  const failed = isError === true;
  const attached = content?.slice(1) ?? [];
  return {
    isError: failed,
    data: structuredContent ?? {},
    text,
    attached,
    error: failed ? errorOf(text) : {},
  };
}

function errorOf(text: string): Json {
  try {
    return (JSON.parse(text) as { error: Json }).error;
  } catch {
    return { message: text };
  }
}
