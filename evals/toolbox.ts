import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createOpenApiDocument } from '../learn/openapi/create-openapi-document.ts';
import type { World } from './world.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
}

/** The tools that a model gets, and a function to call them. */
export interface Toolbox {
  readonly instructions: string;
  readonly tools: readonly Tool[];
  call(name: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
  close(): Promise<void>;
}

export const SERVERS = ['ours', 'baseline'] as const;
export type ServerName = (typeof SERVERS)[number];

/** Faster answers do not count as a person's. */
const READING_MS = 1100;

/** Opens the tools of a server; `answer` plays the person who is asked. */
export function openToolbox(server: ServerName, world: World, answer: (question: string) => boolean): Promise<Toolbox> {
  return server === 'ours' ? openOurs(world, answer) : openBaseline(world);
}

/** This project's MCP server in its own process, as an assistant starts it. */
async function openOurs(world: World, answer: (question: string) => boolean): Promise<Toolbox> {
  const main = fileURLToPath(new URL('../dist/mcp/main.js', import.meta.url));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, '--state', 'memory', '--files', world.folder],
    env: { PATH: process.env['PATH'] ?? '', DOCSHARE_API_KEY: world.apiKey, DOCSHARE_BASE_URL: world.sandbox.url },
    stderr: 'ignore',
  });
  const client = new McpClient(
    { name: 'docshare-evals', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    await sleep(READING_MS);
    if (!answer(params.message)) return { action: 'decline' };
    const properties = 'requestedSchema' in params ? params.requestedSchema.properties : {};
    const [field] = Object.entries(properties).find(([, { type }]) => type === 'boolean') ?? [];
    return { action: 'accept', content: field ? { [field]: true } : {} };
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    instructions: client.getInstructions() ?? '',
    tools: tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema })),
    async call(name, args) {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const text = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
      return { text, isError };
    },
    close: () => client.close(),
  };
}

interface OpenApiOperation {
  operationId: string;
  summary: string;
  parameters?: { name: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown>; required?: string[] } }> };
}

/**
 * One tool per operation, generated from the service's OpenAPI document. It sends what the model says, without
 * confirmation.
 */
async function openBaseline({ sandbox, apiKey }: World): Promise<Toolbox> {
  const { paths } = createOpenApiDocument(undefined) as { paths: Record<string, Record<string, unknown>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as OpenApiOperation,
    })),
  );
  const getToolName = ({ operationId }: OpenApiOperation) => operationId.replace('.', '_');
  return {
    instructions: '',
    tools: operations.map(({ method, operation }) => {
      const body = Object.values(operation.requestBody?.content ?? {}).at(-1)?.schema;
      const parameters = Object.fromEntries((operation.parameters ?? []).map(({ name, schema }) => [name, schema]));
      const properties = { ...parameters, ...body?.properties };
      return {
        name: getToolName(operation),
        description: operation.summary,
        inputSchema: {
          type: 'object',
          properties: method === 'GET' ? { ...properties, query: { type: 'object' } } : properties,
          required: [...Object.keys(parameters), ...(body?.required ?? [])],
        },
      };
    }),
    async call(name, args) {
      const found = operations.find(({ operation }) => getToolName(operation) === name);
      if (!found) return { text: `Unknown tool ${name}`, isError: true };
      const { id, query, ...rest } = args;
      const url = new URL(sandbox.url + found.path.replace('{id}', encodeURIComponent(String(id))));
      const isRead = found.method === 'GET';
      for (const [field, value] of Object.entries({ ...(isRead ? rest : {}), ...(query as object) })) {
        url.searchParams.set(field, String(value));
      }
      const hasBody = !isRead && found.method !== 'DELETE';
      const response = await fetch(url, {
        method: found.method,
        headers: { authorization: `Bearer ${apiKey}`, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
        ...(hasBody ? { body: JSON.stringify(rest) } : {}),
      });
      return { text: `${response.status} ${await response.text()}`, isError: !response.ok };
    },
    close: async () => undefined,
  };
}
