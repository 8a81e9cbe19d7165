import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitInputParams,
  type InputRequest,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
export const describeFixture = (name: string) => ({ description: `Conformance: ${name}.` });

type FormSchema = ElicitInputParams['requestedSchema'];

const textForm = (field: string): FormSchema => ({
  type: 'object',
  properties: { [field]: { type: 'string' } },
  required: [field],
});
const OK: FormSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
const PERSON: FormSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};
const DEFAULTS: FormSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};
const TITLED = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];
const OPTIONS = ['option1', 'option2', 'option3'];
const ENUMS: FormSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } },
  },
};

const ask = (message: string, requestedSchema: FormSchema) => inputRequired.elicit({ message, requestedSchema });
const sample = (text: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

/** Returns true if each question has an accepted answer of its own kind. */
function answered(mcp: ServerContext, questions: InputRequests): boolean {
  return Object.keys(questions).every((key) => {
    const reply = inputResponse(mcp.mcpReq.inputResponses, key);
    return reply.kind === 'elicit' ? reply.action === 'accept' : reply.kind !== 'missing';
  });
}

const repliesOf = (mcp: ServerContext) => textResult(JSON.stringify(mcp.mcpReq.inputResponses));

/** Tools that ask the client: in the newer protocol through results, in the older one through requests of the SDK. */
export function registerQuestionTools(server: McpServer, states: RequestStateCodec<string>): void {
  const round = (mcp: ServerContext, questions: InputRequests) =>
    answered(mcp, questions) ? repliesOf(mcp) : inputRequired({ inputRequests: questions });
  const tool = (name: string, questions: InputRequests) =>
    server.registerTool(name, describeFixture(name), (mcp) => round(mcp, questions));
  const statefulTool = (name: string, questions: InputRequests) =>
    server.registerTool(name, describeFixture(name), async (mcp) => {
      if (mcp.mcpReq.requestState() === name && answered(mcp, questions))
        return textResult(`state-ok ${JSON.stringify(mcp.mcpReq.inputResponses)}`);
      return inputRequired({ inputRequests: questions, requestState: await states.mint(name) });
    });

  server.registerTool(
    'test_sampling',
    { ...describeFixture('test_sampling'), inputSchema: z.strictObject({ prompt: z.string() }) },
    ({ prompt }, mcp) => round(mcp, { reply: sample(prompt) }),
  );
  server.registerTool(
    'test_elicitation',
    { ...describeFixture('test_elicitation'), inputSchema: z.strictObject({ message: z.string() }) },
    ({ message }, mcp) => round(mcp, { reply: ask(message, PERSON) }),
  );
  tool('test_elicitation_sep1034_defaults', { reply: ask('Check the defaults', DEFAULTS) });
  tool('test_elicitation_sep1330_enums', { reply: ask('Choose', ENUMS) });

  const name = ask('What is your name?', textForm('name'));
  const roots = inputRequired.listRoots();
  tool('test_input_required_result_elicitation', { user_name: name });
  tool('test_input_required_result_sampling', { capital_question: sample('What is the capital of France?') });
  tool('test_input_required_result_list_roots', { client_roots: roots });
  tool('test_missing_capability', { reply: sample('Only for clients that sample') });
  tool('test_streaming_elicitation', { reply: ask('Please confirm', OK) });
  statefulTool('test_input_required_result_request_state', { confirm: ask('Please confirm', OK) });
  statefulTool('test_input_required_result_tampered_state', { confirm: ask('Please confirm', OK) });
  statefulTool('test_input_required_result_multiple_inputs', {
    user_name: name,
    greeting: sample('Generate a greeting', 50),
    client_roots: roots,
  });
  server.registerTool(
    'test_input_required_result_multi_round',
    describeFixture('test_input_required_result_multi_round'),
    async (mcp) => {
      const step1 = { step1: ask('Step 1: What is your name?', textForm('name')) };
      const step2 = { step2: ask('Step 2: What is your favorite color?', textForm('color')) };
      const state = mcp.mcpReq.requestState();
      if (state === 'second' && answered(mcp, step2)) return repliesOf(mcp);
      const next = state === 'second' || (state === 'first' && answered(mcp, step1));
      return inputRequired({
        inputRequests: next ? step2 : step1,
        requestState: await states.mint(next ? 'second' : 'first'),
      });
    },
  );
  server.registerTool(
    'test_input_required_result_capabilities',
    describeFixture('test_input_required_result_capabilities'),
    (mcp) => {
      const envelope: Readonly<Record<string, unknown>> = { ...mcp.mcpReq.envelope };
      const declared = Object(envelope[CLIENT_CAPABILITIES_META_KEY]);
      const questions: Record<string, InputRequest> = {};
      if ('elicitation' in declared) questions['user_name'] = name;
      if ('sampling' in declared) questions['greeting'] = sample('Generate a greeting');
      return round(mcp, questions);
    },
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    describeFixture('test_input_required_result_prompt'),
    (mcp) => {
      const questions = { user_context: ask('What context should the prompt use?', textForm('context')) };
      if (!answered(mcp, questions)) return inputRequired({ inputRequests: questions });
      const text = JSON.stringify(mcp.mcpReq.inputResponses);
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}
