import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { createScopeCatalog } from '../../../mcp/hosted/oauth/scope-selection.ts';
import { applyProfile } from '../../../mcp/server/apply-profile.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { SCOPES, type ServiceProfile } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../../support/cleanup.ts';
import { NOTHING_LEARNED } from '../../support/create-profile.ts';
import { learnedProfile, writeProfile } from '../../support/learned-service.ts';
import { type ListedTool, openHost, openHostOnService } from '../../support/mcp-host.ts';
import { openHttpServer, toolCall } from '../../support/mcp-http.ts';
import { openLoopback } from '../../support/mcp-loopback.ts';
import { toolDefinitions } from '../../support/mcp-parts.ts';
import { openServer } from '../../support/mcp-servers.ts';

const getEnvironment = (profile: ServiceProfile) => ({
  DOCSHARE_API_KEY: sandbox.key(),
  DOCSHARE_BASE_URL: sandbox.url,
  DOCSHARE_PROFILE: writeProfile(createFolderForFile('docshare-learned-'), profile),
});
const open = (profile: ServiceProfile, args: readonly string[] = ['--confirm', 'off']) =>
  openHost({ args, env: getEnvironment(profile) });

const sandbox = await closeAfterAll(createSandbox());
const host = await closeAfterAll(open(learnedProfile(sandbox.url)));
const tools = await host.tools();

function told(name: string, argument: string): unknown {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema['properties'];
  return (schema as Record<string, { description: string }> | undefined)?.[argument]?.description;
}

describe('the menu', () => {
  test('names the fields of the service with their types, and distinguishes accepted fields from observed ones', () => {
    expect(told('update_link', 'fields')).toMatch(
      /^Observed visitor_cap \(integer\), expires_at \(date-time\), label \(string\)/,
    );
    expect(told('create_link', 'fields')).toMatch(/^Accepts label \(string\), visitor_cap \(/);
    expect(told('create_contact', 'fields')).toBe(
      'Observed display_name (string), firm (string), since (epoch-seconds), score (number), owner (object)',
    );
    expect(told('create_agreement', 'fields')).toMatch(/^Observed title \(string\), stage \(draft\|sent\|signed\)/);
    expect(told('list_links', 'query')).toBe('Filters label; Sorts sort=-created_at');
  });

  test('stays within 220 tokens per tool and 8,500 in total', () => {
    const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length;
    expect(tools.filter((tool) => tokensOf(tool) > 220).map(({ name }) => name)).toEqual([]);
    expect(tokensOf(tools)).toBeLessThanOrEqual(8500);
  });

  test('is unchanged for everything that was not learned', async () => {
    const plain = await openHost({ args: ['--confirm', 'off'] });
    const without = await plain.tools().finally(() => plain.close());
    expect(tools.map(({ name }) => name)).toEqual(without.map(({ name }) => name));
    const bare = (list: readonly ListedTool[]) =>
      JSON.stringify(list, (key, value) => (key === 'fields' || key === 'query' ? 0 : value));
    expect(bare(tools)).toBe(bare(without));
    const rooms = (list: readonly ListedTool[]) => list.filter(({ name }) => /room|template|proposal/.test(name));
    expect(rooms(tools)).toEqual(rooms(without));
    expect(plain.instructions).not.toContain('docshare://fields');
    expect(host.instructions).toContain('docshare://fields/{tool}');
  });
});

describe('an unknown name or type is rejected before any request', () => {
  test.each([
    [
      'a typo',
      'update_link',
      { fields: { expire_at: '2026-12-31' } },
      /fields\.expire_at: unknown to this service; did you mean "expires_at"\?/,
    ],
    ['another spelling', 'update_link', { fields: { visitorCap: 3 } }, /did you mean "visitor_cap"/],
    [
      'another name',
      'update_link',
      { fields: { colour: 'red' } },
      /fields\.colour: unknown to this service\. Known: email_required, visitor_cap, expires_at, label.*unchecked.*fields\.extra: \{"extra":\{"colour":"…"\}\}/,
    ],
    [
      'a string for a number',
      'update_link',
      { fields: { visitor_cap: 'five' } },
      /fields\.visitor_cap: must be a whole number, not a string/,
    ],
    ['a number for a string', 'update_link', { fields: { label: 7 } }, /fields\.label: must be a string, not a number/],
    [
      'an invalid date',
      'update_link',
      { fields: { expires_at: 'tomorrow' } },
      /expires_at: must be a date and time such as 2026-12-31T18:00:00Z/,
    ],
    [
      'a string for seconds',
      'update_contact',
      { fields: { since: '2026-01-01' } },
      /since: must be a whole number \(seconds since 1970\), not a string/,
    ],
    ['several errors', 'update_link', { fields: { label: 7, colour: 1 } }, /fields\.label: .* fields\.colour: /],
  ])('%s', async (_, tool, args, sentence) => {
    sandbox.log.clear();
    const { isError, error } = await host.call(tool, { id: 'x', ...args });
    expect({ isError, ...error }).toMatchObject({ isError: true, code: 'invalid_arguments' });
    expect(error['message']).toMatch(sentence);
    expect(sandbox.log.entries()).toEqual([]);
  });

  test.each([
    ['a rejected parameter', { foo: 1 }, /query\.foo: the service rejects it/],
    ['a typo', { lable: 'x' }, /query\.lable: unknown to this service; did you mean "label"\?/],
  ])('%s in a query', async (_, query, sentence) => {
    sandbox.log.clear();
    const { error } = await host.call('list_links', { query });
    expect(error['message']).toMatch(sentence);
    expect(sandbox.log.entries()).toEqual([]);
  });
});

describe('a field that the service may still accept is sent', () => {
  test('under extra any name is sent unchanged', async () => {
    const [{ id }] = (await host.call('list_links', { limit: 1 })).data['items'] as [{ id: string }];
    const { isError } = await host.call('update_link', {
      id,
      fields: { label: 'Deck', visitor_cap: null, extra: { expire_at: 'soon', colour: 'red' } },
    });
    expect(isError).toBe(false);
    const shown = await host.call('list_links', { detail: 'full', query: { label: 'x', extra: { colour: 'y' } } });
    expect(shown.isError).toBe(false);
    expect(shown.data['items']).toContainEqual(expect.objectContaining({ id, label: 'Deck', colour: 'red' }));
  });

  test('if no object of the kind was observed, unknown names are allowed and only typos are rejected', async () => {
    const taken = { requestBody: { type: 'object' as const, properties: { label: { type: 'string' as const } } } };
    const older = learnedProfile(sandbox.url);
    const server = await closeAfterTest(
      open({ ...older, operations: { ...older.operations, 'rooms.addGroup': taken } }),
    );
    const add = (fields: object) => server.call('add_room_group', { id: 'x', fields });
    expect((await add({ lable: 'A' })).error['message']).toMatch(/did you mean "label"/);
    expect((await add({ label: 1 })).error['message']).toMatch(/label: must be a string/);
    expect((await add({ emails: [] })).error['code']).toBe('not_found');
  });

  test('secrets are accepted and never shown: their names are allowed', async () => {
    const [{ id }] = (await host.call('list_links', { limit: 1 })).data['items'] as [{ id: string }];
    expect((await host.call('update_link', { id, fields: { password: 'open sesame' } })).isError).toBe(false);
  });

  test('fields of unlearned objects, and parameters that are ignored or select a page, are not validated', async () => {
    expect((await host.call('create_room', { fields: { name: 'R', anything: 1 } })).isError).toBe(false);
    expect((await host.call('list_links', { query: { q: 'x', per_page: 2 } })).isError).toBe(false);
    expect((await host.call('list_contacts', { query: { whatever: 1 } })).isError).toBe(false);
  });
});

test('a hosted server gives each grant the same names, whatever menu the grant has', () => {
  const offers = createScopeCatalog({
    hosted: true,
    catalog: applyProfile(toolDefinitions, learnedProfile(sandbox.url)),
  });
  const { tools: menu } = offers.getToolset({
    scopes: ['links:write'],
    declined: [...SCOPES],
    readOnly: false,
    confirm: 'auto',
  });
  const update = menu.find(({ name }) => name === 'update_link');
  expect(JSON.stringify(update?.inputSchema)).toContain('Observed visitor_cap (integer)');
  expect(menu.map(({ name }) => name)).not.toContain('update_contact');
});

test('a response overrides the profile: its new fields are accepted, and a changed type is not enforced', async () => {
  const older = learnedProfile(sandbox.url);
  const { link = {} } = older.resources;
  const properties = { ...link.properties, max_visitors: { type: 'string' as const } };
  const server = await closeAfterTest(
    open({ ...older, resources: { ...older.resources, link: { ...link, properties } } }),
  );
  const changed = { id: 'x', fields: { nda_required: true, max_visitors: 5 } };
  const before = await server.call('update_link', changed);
  expect(before.error['message']).toMatch(/nda_required: unknown to this service.*max_visitors: must be a string/);
  const [{ id }] = (await server.call('list_links', {})).data['items'] as [{ id: string }];
  expect((await server.call('update_link', { ...changed, id })).isError).toBe(false);
});

test('all names of a tool can be read, with the source of each', async () => {
  const { transport } = await openServer([], getEnvironment(learnedProfile(sandbox.url)));
  const client = await closeAfterTest(new Client({ name: 'test', version: '1' }));
  await client.connect(transport as never);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('docshare://fields/{tool}');
  const { contents } = await client.readResource({ uri: 'docshare://fields/create_link' });
  const read = JSON.parse((contents[0] as { text: string }).text);
  expect(read.fields).toContainEqual({ name: 'visitor_cap', type: 'integer', known_by: 'accepted' });
  expect(read.fields).toContainEqual({ name: 'expires_at', type: 'string', format: 'date-time', known_by: 'observed' });
  expect(read.fields).toContainEqual({ name: 'document_id', type: 'string', known_by: 'documented' });
  const { contents: queries } = await client.readResource({ uri: 'docshare://fields/list_links' });
  const { query } = JSON.parse((queries[0] as { text: string }).text);
  expect(query.find(({ name }: { name: string }) => name === 'label')).not.toHaveProperty('type');
  for (const name of ['no_tool', 'whoami'])
    await expect(client.readResource({ uri: `docshare://fields/${name}` })).rejects.toThrow(
      /Tools with fields: list_documents/,
    );
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'docshare://fields/{tool}' },
    argument: { name: 'tool', value: 'link' },
  });
  expect(completion.values).toContain('update_link');
  await client.close();
});

const list = { at: ['rows'], size: { default: 10, max: 40, param: 'rows' }, query: {} };
const body = {
  type: 'object',
  properties: { rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } } },
} as const;
const answer = { status: 200, media: 'application/json', headers: {}, body, seen: 2 };
function writeContradicted(service: string): string {
  const operations = { 'links.list': { response: answer, list } };
  const facts = { webhook: { callback: '{url}', kinds: ['{event}'] } };
  return writeProfile(createFolderForFile('docshare-learned-'), { ...NOTHING_LEARNED, service, operations, facts });
}
const findContradictions = (log: string) =>
  [...log.matchAll(/^.*"profile_contradicted".*$/gm)].map(([line]) => JSON.parse(line) as object);
const CONTRADICTED = { level: 'warn', fact: 'operations.links.list.list.at', next: 'docshare learn' };

test('a server uses the learned profile, and logs each contradiction once', async () => {
  let field = 'rows';
  const host = await openHostOnService(
    ({ method }) => (method === 'POST' ? { status: 201, json: { id: 'w1' } } : { json: { [field]: [{ id: 'l1' }] } }),
    { args: ['--confirm', 'off'], profile: writeContradicted },
  );
  await host.call('list_links', { match: 'l1' });
  await host.call('create_webhook', { url: 'https://h.example.com/', events: ['link.viewed'] });
  field = 'items';
  for (const _ of [1, 2]) await host.call('list_links');
  expect(host.requests).toMatchObject([
    { method: 'GET', path: '/links', query: { rows: '40' } },
    { method: 'POST', path: '/webhooks', body: '{"callback":"https://h.example.com/","kinds":["link.viewed"]}' },
    { method: 'GET', path: '/links' },
    { method: 'GET', path: '/links' },
  ]);
  expect(findContradictions(host.stderr())).toMatchObject([CONTRADICTED]);
});

test('a contradiction is logged once for all keys', async () => {
  const service = await openLoopback(() => ({ json: { items: [{ id: 'l1' }] } }));
  const env = { DOCSHARE_BASE_URL: service.url, DOCSHARE_PROFILE: writeContradicted(service.url) };
  const server = await openHttpServer([], env);
  for (const key of ['key_of_ann', 'key_of_bob']) await (await server.send(toolCall(1, 'list_links'), { key })).text();
  await server.close();
  await service.close();
  expect(service.requests).toHaveLength(2);
  expect(findContradictions(server.faults.join(''))).toMatchObject([CONTRADICTED]);
});
