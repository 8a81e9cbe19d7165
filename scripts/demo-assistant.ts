import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

type StructuredContent = Readonly<Record<string, unknown>>;

export interface Assistant {
  /** Names of the tools that the server offers. */
  readonly tools: readonly string[];
  readonly serverName: string;
  /** Calls a tool; where the server asks for a confirmation first, `onPreview` hears the preview and says yes. */
  call(tool: string, input: StructuredContent, onPreview?: (preview: string) => void): Promise<StructuredContent>;
  close(): Promise<void>;
}

/** A real MCP client on a real server process: the built one, in one piece as it is published, as a host would start it. */
export async function startAssistant(options: { env: Record<string, string>; folder: string }): Promise<Assistant> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    // What this client did is nobody else's business: it shares no state with the person's own servers.
    args: ['dist/whole/main.js', '--state', 'memory', '--files', options.folder],
    env: options.env,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'docshare-demo', version: '1.0.0' });
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
      const result = await callOnce(tool, input);
      if (typeof result.confirm_token !== 'string') return result;
      onPreview?.(
        typeof result.preview === 'string' ? result.preview : JSON.stringify(result.preview ?? 'a confirmation'),
      );
      return callOnce(tool, { ...input, confirm_token: result.confirm_token });
    },
    close: () => client.close(),
  };
}
