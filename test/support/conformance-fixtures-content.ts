import { setTimeout as sleep } from 'node:timers/promises';
import { type CallToolResult, fromJsonSchema, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A PNG of one red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV header without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

const MIXED: CallToolResult = {
  content: [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', data: PNG, mimeType: 'image/png' },
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ],
};

const EMBEDDED: CallToolResult = {
  content: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
};

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

/** Tools without questions. */
export function registerContentTools(server: McpServer): void {
  const tool = (name: string, run: (mcp: ServerContext) => CallToolResult | Promise<CallToolResult>) =>
    server.registerTool(name, { description: `Conformance: ${name}.` }, run);
  tool('test_simple_text', () => textResult('This is a simple text response for testing.'));
  tool('test_image_content', () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }));
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  tool('test_embedded_resource', () => EMBEDDED);
  tool('test_multiple_content_types', () => MIXED);
  tool('test_tool_with_logging', log);
  tool('test_logging_tool', log);
  tool('test_tool_with_progress', advance);
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: Keywords },
    () => textResult('Valid.'),
  );
  server.registerTool(
    'test_mirrored_argument',
    { description: 'An argument that a header repeats.', inputSchema: Region },
    ({ region }) => textResult(region),
  );
}
