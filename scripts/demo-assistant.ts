import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

type StructuredContent = Readonly<Record<string, unknown>>;

export interface Assistant {
  /** Names of the tools that the server offers. */
  readonly tools: readonly string[];
  readonly serverName: string;
  /** Calls a tool. If the server asks for approval, `onPreview` gets the question, and the person of the demo approves. */
  call(tool: string, input: StructuredContent, onPreview?: (preview: string) => void): Promise<StructuredContent>;
  close(): Promise<void>;
}

/** The server rejects answers that come faster than a person can read. */
const READING_TIME_MS = 1100;

/** A real MCP client that starts the bundled server, as published, in its own process. */
export async function startAssistant(options: { env: Record<string, string>; folder: string }): Promise<Assistant> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    // Its own state, separate from the person's servers.
    args: ['dist/whole/main.js', '--state', 'memory', '--files', options.folder],
    env: options.env,
    stderr: 'ignore',
  });
  const client = new Client(
    { name: 'docshare-demo', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  let showQuestion: ((question: string) => void) | undefined;
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    showQuestion?.(params.message);
    await sleep(READING_TIME_MS);
    return { action: 'accept', content: { confirm: true } };
  });
  await client.connect(transport);
  const { tools } = await client.listTools();

  async function callOnce(tool: string, input: StructuredContent): Promise<StructuredContent> {
    const result = await client.callTool({ name: tool, arguments: { ...input } });
    const [first] = result.content;
    if (result.isError) throw new Error(first?.type === 'text' ? first.text : `${tool} failed`);
    return (result.structuredContent ?? {}) as StructuredContent;
  }

  return {
    tools: tools.map(({ name }) => name),
    serverName: client.getServerVersion()?.name ?? 'docshare',
    async call(tool, input, onPreview) {
      showQuestion = onPreview;
      return callOnce(tool, input);
    },
    close: () => client.close(),
  };
}
