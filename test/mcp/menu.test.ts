import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { KINDS, type ListedTool, openHost } from '../support/mcp-host.ts';
import { REVIEWED_TOOLS } from '../support/reviewed-tools.ts';

const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length;

async function listed(args: readonly string[] = [], env: Record<string, string> = {}): Promise<ListedTool[]> {
  const host = await openHost({ args, env });
  return host.tools().finally(() => host.close());
}

async function names(args: readonly string[] = [], env: Record<string, string> = {}): Promise<string[]> {
  return (await listed(args, env)).map(({ name }) => name);
}

describe('the whole menu', () => {
  let tools: ListedTool[];
  beforeAll(async () => {
    tools = await listed();
  });

  test('costs at most 8,500 tokens, and no tool more than 220', async () => {
    const counts = tools.map((tool) => [tool.name, tokensOf(tool)] as const);
    expect(tools.map(({ name }) => name).toSorted()).toEqual(REVIEWED_TOOLS.toSorted());
    expect(tokensOf(tools)).toBeLessThanOrEqual(8500);
    expect(counts.filter(([, tokens]) => tokens > 220)).toEqual([]);
    const report = [`all ${tokensOf(tools)}`, ...counts.map(([name, tokens]) => `${name} ${tokens}`)].join('\n');
    await expect(`${report}\n`).toMatchFileSnapshot('__snapshots__/tokens.txt');
  });

  test('has the reviewed definition of each tool', async () => {
    for (const tool of tools)
      await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(`__snapshots__/tools/${tool.name}.json`);
  });

  test('has flat schemas, and a description and annotations for every argument and tool', () => {
    for (const tool of tools) {
      expect(JSON.stringify(tool), tool.name).not.toMatch(/"(anyOf|oneOf|allOf|\$ref|\$schema|not)"|"null"/);
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' });
      for (const [name, property] of Object.entries(tool.inputSchema['properties'] as Record<string, object>))
        expect(property, `${tool.name}.${name}`).toMatchObject({
          type: expect.stringMatching(/^(string|integer|boolean|array|object)$/),
          description: expect.stringMatching(/\S/),
        });
      expect(Object.keys(tool.annotations ?? {}).sort(), tool.name).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
      const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
      expect(readOnlyHint === true && destructiveHint === true, tool.name).toBe(false);
      expect(tool.title, tool.name).toMatch(/^[A-Z]/);
      expect(tool.name).toMatch(/^[a-z_]{3,40}$/);
    }
  });

  test('is the same, in the same order, for every kind of host', async () => {
    for (const kind of KINDS) {
      const host = await openHost({ kind });
      const own = await host.tools().finally(() => host.close());
      expect(own.map(({ name, inputSchema, outputSchema }) => [name, inputSchema, outputSchema])).toEqual(
        tools.map(({ name, inputSchema, outputSchema }) => [name, inputSchema, outputSchema]),
      );
    }
  });
});

test('has instructions of less than 2,048 characters that explain how the tools work together', async () => {
  const host = await openHost();
  await host.close();
  expect(host.instructions?.length).toBeGreaterThan(500);
  expect(host.instructions?.length).toBeLessThan(2048);
});

test.each([
  ['--read-only', ['`report_link`'], ['`share_document`', '`update_links`']],
  ['--groups billing', ['IDs come from results'], ['`', 'Workflows']],
  ['--confirm off', ['nobody is asked'], ['The user is asked', 'in a form']],
  ['--confirm unattended', ['returns only a preview'], ['The user is asked', 'in a form']],
])('with %s, has instructions that are true', async (line, contained, missing) => {
  const { close, instructions } = await openHost({ args: line.split(' ') });
  await close();
  for (const text of contained) expect(instructions).toContain(text);
  for (const text of missing) expect(instructions).not.toContain(text);
});

const NO_SCOPES = { DOCSHARE_SCOPES: '' };
const LINKS = { DOCSHARE_SCOPES: 'links:read' };

describe('a smaller menu', () => {
  test.each<[line: string, env: Record<string, string>, names: readonly string[]]>([
    ['--groups billing', {}, ['get_subscription', 'list_invoices', 'get_usage']],
    [
      '--groups billing --tools list_links --exclude=get_usage',
      {},
      ['list_links', 'get_subscription', 'list_invoices'],
    ],
    ['--tools get_visit', {}, ['get_visit']],
    ['--tools list_links --exclude list_links', {}, []],
    // --read-only overrides --tools.
    ['--read-only --tools send_agreement,list_links', {}, ['list_links']],
    // A tool that the key cannot use is hidden, even if --tools names it.
    ['--tools create_link,list_links', LINKS, ['list_links']],
    [
      '',
      { DOCSHARE_SCOPES: 'links:read, billing:read' },
      [
        ...['list_links', 'get_subscription', 'list_invoices', 'get_usage'],
        ...['review_exposure', 'find', 'get', 'activity', 'whoami'],
      ],
    ],
    ['', { DOCSHARE_SCOPES: SCOPES.join(' ') }, REVIEWED_TOOLS],
    ['', NO_SCOPES, REVIEWED_TOOLS],
  ])('%s with %j', async (line, env, expected) => {
    const found = await names(line.split(' ').filter(Boolean), env);
    if (expected === REVIEWED_TOOLS) expect(found.toSorted()).toEqual(expected.toSorted());
    else expect(found).toEqual(expected);
  });

  test.each<[line: string, env: Record<string, string>, lacks: string, has: readonly string[]]>([
    ['--exclude list_links', {}, 'links', ['documents', 'rooms', 'contacts']],
    ['', LINKS, 'documents', ['links']],
    ['--groups documents --tools list_links,whoami', {}, 'rooms', ['documents', 'links']],
  ])('with %s and %j, a tool that reads several groups leaves out %s', async (line, env, lacks, has) => {
    const host = await openHost({ args: ['--sandbox', ...line.split(' ').filter(Boolean)], env });
    const { data } = await host.call('whoami');
    await host.close();
    const { groups } = data['mode'] as { groups: string[] };
    expect(groups).toEqual(expect.arrayContaining([...has]));
    expect(groups).not.toContain(lacks);
  });

  test('--read-only keeps only tools that read', async () => {
    const all = await listed(['--read-only']);
    expect(all.length).toBeGreaterThan(15);
    expect(all.map(({ name }) => name)).toContain('download_agreement');
    expect(all.filter(({ annotations }) => annotations?.['readOnlyHint'] !== true)).toEqual([]);
  });

  test('a tool over several groups is available with any of them, and a disabled tool cannot be called', async () => {
    expect(await names(['--groups', 'links'])).toEqual(expect.arrayContaining(['find']));
    expect(await names(['--groups', 'links'])).not.toContain('whoami');
    const host = await closeAfterTest(openHost({ args: ['--read-only', '--sandbox'] }));
    await expect(host.call('delete_link', { id: 'x', confirm_token: 'x' })).rejects.toThrow(/delete_link/);
  });
});

test('share_document has a path argument only if upload_document is available', async () => {
  const argumentsIn = async (args: readonly string[]) => {
    const tool = (await listed(args)).find(({ name }) => name === 'share_document');
    return Object.keys(tool?.inputSchema['properties'] ?? {});
  };
  expect(await argumentsIn([])).toContain('path');
  expect(await argumentsIn(['--exclude', 'upload_document'])).not.toContain('path');
  expect(await argumentsIn(['--exclude', 'upload_document'])).toContain('document_id');
});
