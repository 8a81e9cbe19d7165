import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallToolResult,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { z } from 'zod';
import { describeFixture, registerQuestionTools, textResult } from './conformance-questions.ts';

/** A PNG of one red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV header without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const TEXT = { type: 'text', text: 'A text.' } as const;
const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const embed = (uri: string) =>
  ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'More.' } }) as const;

/** Returns a factory of servers with the tools, resources and prompts that the official suite calls by name. */
export function createFixturesFactory(): McpServerFactory {
  const states = createRequestStateCodec<string>({ key: randomBytes(32) });
  // Skills in memory, without a folder.
  const skills = SkillsExtension.load(
    memorySkillFiles({
      'read-more/SKILL.md': '---\nname: read-more\ndescription: Has a folder\n---\n',
      'read-more/references/more.md': 'More.',
    }),
  );
  return async () => {
    const server = new McpServer(
      { name: 'conformance-fixtures', version: '1.0.0' },
      {
        capabilities: {
          logging: {},
          tools: { listChanged: false },
          resources: { listChanged: false, subscribe: true },
          prompts: { listChanged: false },
        },
        requestState: { verify: states.verify },
      },
    );
    registerContentTools(server);
    registerQuestionTools(server, states);
    registerResources(server);
    registerPrompts(server);
    (await skills).attach(server);
    return server;
  };
}

/** Every keyword that the suite expects in the list. */
const Keywords = fromJsonSchema({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
});

const Region = z.strictObject({ region: z.string().meta({ 'x-mcp-header': 'Region' }) });

async function log(mcp: ServerContext): Promise<CallToolResult> {
  await mcp.mcpReq.log('info', 'Tool execution started');
  await sleep(50);
  await mcp.mcpReq.log('info', 'Tool processing data');
  await sleep(50);
  await mcp.mcpReq.log('info', 'Tool execution completed');
  return textResult('Logged three times.');
}

async function advance(mcp: ServerContext): Promise<CallToolResult> {
  const progressToken = mcp.mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progress > 0) await sleep(50);
    if (progressToken === undefined) continue;
    await mcp.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
  }
  return textResult('Went from 0 to 100.');
}

function registerContentTools(server: McpServer): void {
  const tool = (name: string, run: (mcp: ServerContext) => CallToolResult | Promise<CallToolResult>) =>
    server.registerTool(name, describeFixture(name), run);
  const contents: Readonly<Record<string, CallToolResult['content']>> = {
    test_simple_text: [TEXT],
    test_image_content: [IMAGE],
    test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' } as const],
    test_embedded_resource: [embed('test://embedded-resource')],
    test_multiple_content_types: [TEXT, IMAGE, embed('test://mixed-content-resource')],
  };
  for (const [name, content] of Object.entries(contents)) tool(name, () => ({ content }));
  tool('test_tool_with_logging', log);
  tool('test_logging_tool', log);
  tool('test_tool_with_progress', advance);
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('json_schema_2020_12_tool', { ...describeFixture('keywords'), inputSchema: Keywords }, () =>
    textResult('Valid.'),
  );
  server.registerTool(
    'test_mirrored_argument',
    { ...describeFixture('An argument that a header repeats'), inputSchema: Region },
    ({ region }) => textResult(region),
  );
}

function registerResources(server: McpServer): void {
  const resources: Readonly<Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }>> = {
    'static-text': { mimeType: 'text/plain', text: 'A text.' },
    'static-binary': { mimeType: 'image/png', blob: PNG },
    'watched-resource': { mimeType: 'text/plain', text: 'Never changes.' },
  };
  for (const [name, content] of Object.entries(resources))
    server.registerResource(name, `test://${name}`, describeFixture(name), ({ href: uri }) => ({
      contents: [{ uri, ...content }],
    }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, describeFixture('template'), ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }],
  }));
  // The SDK does not store subscriptions; the suite checks only the response.
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

const Arguments = z.strictObject({
  arg1: completable(z.string().describe('First test argument'), (typed) =>
    ['paris', 'park', 'party'].filter((word) => word.startsWith(typed)),
  ),
  arg2: z.string().describe('Second test argument'),
});
const ResourceUri = z.strictObject({ resourceUri: z.string().describe('URI of the resource to embed') });

function registerPrompts(server: McpServer): void {
  const say = (...contents: CallToolResult['content']) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  });
  server.registerPrompt('test_simple_prompt', describeFixture('test_simple_prompt'), () => say(TEXT));
  server.registerPrompt('test_prompt_with_image', describeFixture('test_prompt_with_image'), () => say(IMAGE, TEXT));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...describeFixture('test_prompt_with_arguments'), argsSchema: Arguments },
    ({ arg1, arg2 }) => say({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...describeFixture('test_prompt_with_embedded_resource'), argsSchema: ResourceUri },
    ({ resourceUri }) => say(embed(resourceUri), TEXT),
  );
}
