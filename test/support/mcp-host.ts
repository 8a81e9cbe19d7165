import { setTimeout as sleep } from 'node:timers/promises';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/index.ts';
import { closeAfterTest } from './cleanup.ts';
import { openLoopback } from './mcp-loopback.ts';
import { openServer, processOf } from './mcp-servers.ts';

export type Json = Record<string, unknown>;

/** The SDKs that real hosts use: the maintenance version, and the stable version with both protocol generations. */
export const KINDS = ['sdk 1.x', 'sdk 2.x legacy', 'sdk 2.x modern'] as const;
export type Kind = (typeof KINDS)[number];

export interface Outcome {
  readonly isError: boolean;
  /** `structuredContent`, or `{}`. */
  readonly data: Json;
  readonly text: string;
  /** The question of a call that asks, or else the text, in one line. */
  readonly question: string;
  /** The content blocks after the text. */
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
  readonly _meta?: Json;
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
  /** Working folder of its process. Implies `ownProcess`. */
  readonly cwd?: string;
  /** Starts a separate process, for what only a process shows: its start, its end, two servers that share a file. */
  readonly ownProcess?: boolean;
  /** Folder of the state that it shares with others (default: memory). */
  readonly state?: string;
  /** Called with the URL of each confirmation page. Without it, there is no browser. */
  readonly openBrowser?: (url: string) => Promise<boolean>;
  /** Declares form elicitation, and answers each form with this. */
  readonly form?: (message: string) => Promise<Json>;
  /** Declares this mode of elicitation instead, and answers each question with this. */
  readonly elicitation?: Elicitation;
  /** How long the server in this process waits, if not as a host that answers at once needs. */
  readonly waits?: Parameters<typeof openServer>[3];
}

/** Connects a real client to a real server over stdio messages, as a host does; by default in this process. */
export async function openHost(options: HostOptions = {}): Promise<Host> {
  const { kind = 'sdk 1.x', args = [], env = {}, form, openBrowser, state = 'memory', cwd } = options;
  // Without a form, a host confirms by token, unless its options say otherwise.
  const asks = form ?? options.elicitation ?? openBrowser;
  const confirm = asks || args.includes('--confirm') ? [] : ['--confirm', 'unattended'];
  const command = ['--state', state, ...confirm, ...args];
  const own = options.ownProcess === true || cwd !== undefined;
  // A server in a separate process rejects answers that are too fast for a person.
  const answerForm = async (message: string) => {
    if (own) await sleep(1100);
    return form?.(message);
  };
  const server = own
    ? processOf(command, { kind, env, cwd })
    : await openServer(command, env, openBrowser, options.waits);
  const elicitation = options.elicitation ?? (form && { form: ({ message }) => answerForm(message) });
  const client = await connectClient(kind, server.transport, elicitation);
  return { ...client, stderr: server.stderr, close: () => client.close().then(server.closed) };
}

/** A form that records its questions, and answers each with this. */
export function answerForms(answer: Json = { action: 'accept', content: { confirm: true } }) {
  const questions: string[] = [];
  const form = async (message: string) => {
    questions.push(message);
    return answer;
  };
  return { questions, form };
}

/** How a client handles questions of one mode, which it declares. */
export type Elicitation = Partial<Record<'form' | 'url', (params: { message: string; url: string }) => unknown>>;

/** Connects a client of this SDK. Both SDKs send the same messages over the same transports; only their types differ. */
export async function connectClient(
  kind: Kind,
  transport: object,
  elicitation: Elicitation | undefined,
): Promise<Omit<Host, 'stderr'>> {
  const [[mode, answer] = []] = Object.entries(elicitation ?? {});
  const capabilities = mode === undefined ? {} : { elicitation: { [mode]: {} } };
  const info = { name: 'test-host', version: '1.0.0' };
  if (kind === 'sdk 1.x') {
    const client = new LegacyClient(info, { capabilities });
    if (answer) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params as never) as never);
    await client.connect(transport as never);
    return {
      protocol: '2025-11-25',
      instructions: client.getInstructions(),
      tools: async () => (await client.listTools()).tools as ListedTool[],
      call: async (name, input = {}, more = {}) =>
        outcomeOf(await client.callTool({ name, arguments: input }, undefined, more as never)),
      close: () => client.close(),
    };
  }
  const version = kind === 'sdk 2.x modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new ModernClient(info, { capabilities, versionNegotiation: { mode: version } });
  if (answer) client.setRequestHandler('elicitation/create', async ({ params }) => answer(params as never) as never);
  await client.connect(transport as never);
  return {
    protocol: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, input = {}, more = {}) =>
      outcomeOf(await client.callTool({ name, arguments: input }, more as never)),
    close: () => client.close(),
  };
}

export function outcomeOf(result: object): Outcome {
  const { isError, structuredContent, content } = result as {
    isError?: boolean;
    structuredContent?: Json;
    content?: (Json & { text?: string })[];
  };
  const text = content?.[0]?.text ?? '';
  const failed = isError === true;
  const attached = content?.slice(1) ?? [];
  const data = structuredContent ?? {};
  const question = String(data['preview'] ?? text).replaceAll('\n', ' ');
  return { isError: failed, data, text, question, attached, error: failed ? errorOf(text) : {} };
}

/** Reads a list to its end, page by page, as a model does. */
export async function readList(host: Pick<Host, 'call'>, tool: string, args: Json = {}) {
  const pages: Outcome[] = [];
  for (let cursor: unknown; pages.length < 400; ) {
    const page = await host.call(tool, cursor === undefined ? args : { ...args, cursor });
    if (page.isError) throw new Error(page.text);
    pages.push(page);
    cursor = page.data['next_cursor'];
    if (cursor !== undefined) continue;
    const items = pages.flatMap(({ data }) => data['items'] as Json[]);
    return { pages, items, ids: items.map(({ id }) => id) };
  }
  throw new Error('The list never ends');
}

/** The part of a question that every host shows: its first three rows of at most 80 columns. */
export const firstRows = (question: unknown): string => String(question).split('\n').slice(0, 3).join(' ');

function errorOf(text: string): Json {
  try {
    return (JSON.parse(text) as { error: Json }).error;
  } catch {
    return { message: text };
  }
}

/** Opens a host on a service that responds as the test defines. Both close with the test. */
export async function openHostOnService(
  answer: Parameters<typeof openLoopback>[0],
  options: HostOptions & {
    readonly key?: string;
    /** Writes a profile of the service at this address, and returns its path. */
    readonly profile?: (url: string) => string;
  } = {},
) {
  const { key = 'key_of_the_test', profile, ...hostOptions } = options;
  const service = await openLoopback(answer);
  const env = {
    DOCSHARE_API_KEY: key,
    DOCSHARE_BASE_URL: service.url,
    ...(profile && { DOCSHARE_PROFILE: profile(service.url) }),
    ...hostOptions.env,
  };
  const host = await openHost({ ...hostOptions, env });
  onTestFinished(async () => {
    await host.close();
    await service.close();
  });
  return { ...host, requests: service.requests, url: service.url };
}

/** Opens a host on the sandbox, with a new key unless `env` has one. It closes with the test. */
export function openHostOnSandbox(sandbox: Pick<Sandbox, 'key' | 'url'>, options: HostOptions = {}): Promise<Host> {
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url, ...options.env };
  return closeAfterTest(openHost({ ...options, env }));
}
