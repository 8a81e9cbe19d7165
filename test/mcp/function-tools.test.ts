import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTools } from '../../mcp/function-tools/create-tools.ts';
import type { Tools, ToolsOptions } from '../../mcp/function-tools/tools.ts';
import { toolDefinitions as listed } from '../../mcp/toolset/tool-definitions.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { isObject } from '../../src/records/fields.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../support/cleanup.ts';

const folder = createFolderForFile('docshare-tools-');
const sandbox = await closeAfterAll(createSandbox());
const apiKey = sandbox.key();
const open = (options: ToolsOptions = {}) =>
  closeAfterTest(createTools({ apiKey, baseUrl: `${sandbox.url} `, ...options }));

async function idOf(tools: Tools, list: string): Promise<string> {
  const { data } = await tools.call(list, { limit: 1 });
  return (data['items'] as { id: string }[])[0]?.id ?? '';
}

/** The objects in a schema, at any depth. */
const objectsIn = (schema: unknown): Record<string, unknown>[] =>
  isObject(schema)
    ? [...(schema['type'] === 'object' ? [schema] : []), ...Object.values(schema).flatMap(objectsIn)]
    : [];

test('each provider gets the tools of the server, strict if every argument is known', async () => {
  const tools = await open();
  const names = listed.map(({ name }) => name);
  expect(tools.openai().map(({ name }) => name)).toEqual(names);
  expect(tools.openaiChat().map((tool) => tool.function)).toEqual(tools.openai().map(({ type: _, ...tool }) => tool));
  expect(tools.anthropic().map(({ name, input_schema }) => ({ name, input_schema }))).toEqual(
    listed.map(({ name, inputSchema }) => ({ name, input_schema: inputSchema })),
  );
  expect(Object.keys(tools.aiSdk())).toEqual(names);
  const strict = tools.openai().filter((tool) => tool.strict);
  expect(strict.length).toBeGreaterThanOrEqual(19);
  for (const { name, parameters } of strict)
    for (const schema of objectsIn(parameters)) {
      expect(schema['additionalProperties'], name).toBe(false);
      expect(schema['required'], name).toEqual(Object.keys(schema['properties'] ?? {}));
    }
  const strictNames = strict.map(({ name }) => name);
  const namesOf = (entries: readonly (readonly [string, { readonly strict?: boolean }])[]) =>
    entries.flatMap(([name, tool]) => (tool.strict ? [name] : []));
  expect(namesOf(tools.anthropic({ strict: true }).map((tool) => [tool.name, tool]))).toEqual(strictNames);
  expect(namesOf(Object.entries(tools.aiSdk({ strict: true })))).toEqual(strictNames);
  expect(namesOf(tools.openai({ strict: false }).map((tool) => [tool.name, tool]))).toEqual([]);
  expect(
    namesOf([...tools.anthropic().map((tool) => [tool.name, tool] as const), ...Object.entries(tools.aiSdk())]),
  ).toEqual([]);
});

test.each<[string, ToolsOptions['approve'], object]>([
  ['there is no one to ask', undefined, { done: false, outcome: 'not_shown' }],
  ['the user declines', () => false, { done: false, outcome: 'declined' }],
  ['the answer is not a decision', (() => 'yes') as never, { error: { code: 'not_confirmed' } }],
  ['asking fails', () => Promise.reject(new Error('no terminal')), { error: { code: 'not_confirmed' } }],
  ['the user approves', () => true, { deleted: true, approved_by: 'callback' }],
])('a link is deleted only if a user approves: %s', async (_, approve, expected) => {
  const tools = await open({ approve });
  const id = await idOf(tools, 'list_links');
  const before = await tools.call('list_links', {});
  const { data, text } = await tools.call('delete_link', { id });
  expect(data).toMatchObject(expected);
  expect(JSON.parse(text)).toEqual(data);
  expect((await tools.call('list_links', {})).text === before.text).toBe(!('deleted' in expected));
});

test('the question describes the action, and an aborted call aborts the question', async () => {
  const controller = new AbortController();
  let question = '';
  const tools = await open({
    approve: (text, { signal }) => {
      question = text;
      controller.abort();
      return signal.aborted;
    },
  });
  const id = await idOf(tools, 'list_links');
  const { data, isError } = await tools.call('delete_link', { id }, { signal: controller.signal });
  expect(question).toMatch(/^Delete link "/);
  expect({ data, isError }).toMatchObject({ data: { error: { code: 'cancelled' } }, isError: true });
  expect((await tools.call('delete_link', { id })).data).toMatchObject({ outcome: 'declined' });
});

test('the question shows every value, also of a list that a form would cut', async () => {
  let question = '';
  const approve = (text: string) => {
    question = text;
    return false;
  };
  const tools = await open({ approve });
  const emails = Array.from({ length: 400 }, (_, index) => `investor.${index}@company-${index}.example`);
  await tools.call('add_room_group', { id: await idOf(tools, 'list_rooms'), name: 'Investors', emails });
  expect(emails.filter((email) => !question.includes(`"${email}"`))).toEqual([]);
});

test('simultaneous calls are asked about one after the other, and equal calls once', async () => {
  let active = 0;
  const asked: number[] = [];
  const tools = await open({
    approve: async () => {
      asked.push(++active);
      await sleep(20);
      active -= 1;
      return true;
    },
  });
  const ids = ((await tools.call('list_links', { limit: 2 })).data['items'] as { id: string }[]).map(({ id }) => id);
  const results = await Promise.all([...ids, ids[0]].map((id) => tools.call('delete_link', { id })));
  expect(results.map(({ data }) => data['outcome'] ?? data['deleted'])).toEqual([true, true, 'duplicate']);
  expect(asked).toEqual([1, 1]);
});

test('an aborted call ends while another question is open, and the next call still waits for that question', async () => {
  const asked: ((approved: boolean) => void)[] = [];
  const tools = await open({ approve: () => new Promise((answer) => asked.push(answer)) });
  const { data } = await tools.call('list_links', { limit: 3 });
  const [first, second, third] = data['items'] as { id: string }[];
  const openCall = tools.call('delete_link', { id: first?.id });
  await expect.poll(() => asked.length).toBe(1);
  const aborted = tools.call('delete_link', { id: second?.id }, { signal: AbortSignal.timeout(20) });
  const waiting = tools.call('delete_link', { id: third?.id });
  expect((await aborted).isError).toBe(true);
  expect(asked).toHaveLength(1);
  asked[0]?.(false);
  await openCall;
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.(false);
  expect((await waiting).data).toMatchObject({ outcome: 'declined' });
});

test('a decline holds in every program that shares the state', async () => {
  const first = await open({ approve: () => false, state: folder });
  const id = await idOf(first, 'list_links');
  expect((await first.call('delete_link', { id })).data).toMatchObject({ outcome: 'declined' });
  const second = await open({ approve: () => true, state: folder });
  expect((await second.call('delete_link', { id })).data).toMatchObject({ outcome: 'declined' });
});

test.each<[string, string, unknown, string]>([
  ['a misspelled name', 'delete_lnk', {}, 'Did you mean delete_link?'],
  ['arguments that are not JSON', 'delete_link', '{"id":', 'not valid JSON'],
  ['an unknown argument', 'delete_link', '{"ids":"x"}', 'did you mean \\"id\\"'],
  ['a missing argument', 'delete_link', null, 'id is missing'],
  ['an empty text', 'delete_link', ' ', 'id is missing'],
  ['a file elsewhere', 'upload_document', { path: 'package.json', name: null }, 'option files of createTools'],
])('%s gives a result that names the next step', async (_, name, args, expected) => {
  const tools = await open();
  const { text, isError } = await tools.call(name, args);
  expect(text).toContain(expected);
  expect(isError).toBe(true);
});

test('the folder for the state is not readable', async () => {
  const state = join(folder, 'state');
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'note.pdf'), '%PDF-1.4\n%%EOF\n');
  const tools = await open({ files: [folder], state });
  const { text } = await tools.call('upload_document', { path: 'state/note.pdf' });
  expect(text).toContain('path_not_allowed');
});

test('the AI SDK runs the tools, which read only the allowed folders', async () => {
  writeFileSync(join(folder, 'deck.pdf'), '%PDF-1.4\n%%EOF\n');
  const { upload_document: tool } = (await open({ files: [folder], groups: ['documents'] })).aiSdk();
  expect(await tool?.execute({ path: 'deck.pdf' })).toMatchObject({ name: 'deck.pdf' });
  expect(await tool?.execute({ path: '/etc/hostname' })).toMatchObject({ error: { code: 'path_not_allowed' } });
});

test('the options limit the tools, and an invalid option throws', async () => {
  const readOnly = await open({ readOnly: true, groups: ['links'], exclude: ['list_links'] });
  expect(readOnly.openai().map(({ name }) => name)).toEqual([]);
  expect((await readOnly.call('delete_link', { id: 'x' })).data).toMatchObject({ error: { code: 'unknown_tool' } });
  for (const [options, expected] of [
    [{ readonly: true }, 'Did you mean readOnly?'],
    [{ groups: 'links' }, 'groups: Invalid input: expected array'],
    [{ actionsPerHour: -1 }, 'actionsPerHour: '],
    [{ approve: true }, 'approve: '],
  ] as [object, string][])
    await expect(open(options)).rejects.toThrow(expected);
  await expect(open({ groups: ['link'] })).rejects.toThrow('Did you mean "links"?');
  await expect(open({ files: [join(folder, 'gone')] })).rejects.toThrow('does not exist');
  await expect(open({ apiKey: ' ' })).rejects.toThrow('No API key');
  for (const baseUrl of [' ', undefined]) await expect(open({ baseUrl })).rejects.toThrow('No base URL');
});

test('actions above the hourly limit are rejected even if approved', async () => {
  const tools = await open({ approve: () => true, confirm: 'always', actionsPerHour: 1 });
  const create = (name: string) => tools.call('create_contact', { email: `${name}@acme.example` });
  expect((await create('ann')).data).toMatchObject({ approved_by: 'callback' });
  expect((await create('bob')).data).toMatchObject({ done: false, outcome: 'over_budget' });
});
