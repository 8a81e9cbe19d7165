import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { operations } from '../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { callEveryTool, createFolder } from '../support/mcp-every-tool.ts';
import { type HostOptions, type Json, KINDS, openHostOnSandbox } from '../support/mcp-host.ts';
import { DIFFERENT_PRESETS } from '../support/presets-without-waits.ts';

const TOOLS = `
list_documents get_document list_document_pages upload_document list_links create_link update_link delete_link
list_rooms create_room add_room_folder add_room_file add_room_group set_room_permissions
list_agreements create_agreement send_agreement download_agreement list_proposals create_proposal send_proposal
list_templates get_template create_template update_template delete_template
list_contacts create_contact update_contact add_contact_tags
get_link_analytics list_link_visitors get_visit get_room_analytics list_webhooks create_webhook delete_webhook
get_subscription list_invoices get_usage`
  .trim()
  .split(/\s+/);

const folder = createFolder();
const sandbox = await closeAfterAll(createSandbox());

/** Calls every tool, and expects each call to succeed and all together to reach every endpoint. */
async function expectEveryEndpoint(service: Sandbox, options: HostOptions) {
  service.log.clear();
  const host = await openHostOnSandbox(service, { ...options, args: ['--confirm', 'off', '--files', folder] });
  const outcomes = await callEveryTool(host, {
    visited: async (id) => void (await service.visit(id, { email: 'v@example.com', pages: [3, 4] })),
  });
  expect([...outcomes].filter(([, { isError }]) => isError).map(([name, { text }]) => [name, text])).toEqual([]);
  const reached = new Set(service.log.entries().map(({ operation }) => operation));
  expect(operations.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  return { host, outcomes };
}

describe.each(KINDS)('%s', (kind) => {
  test('lists every tool, and calling them all reaches every endpoint', async () => {
    const { host, outcomes } = await expectEveryEndpoint(sandbox, { kind, ownProcess: kind === 'sdk 2.x modern' });
    expect(host.protocol).toBe(kind === 'sdk 2.x modern' ? '2026-07-28' : '2025-11-25');
    expect((await host.tools()).map(({ name }) => name)).toEqual(expect.arrayContaining(TOOLS));
    expect([...outcomes.keys()].sort()).toEqual([...TOOLS].sort());
  });
});

describe.each(DIFFERENT_PRESETS)('a service of the shape %s', (_, profile) => {
  test('can be reached at every endpoint too', { timeout: 120_000 }, async () => {
    await expectEveryEndpoint(await closeAfterTest(createSandbox({ profile, data: 'empty' })), {});
  });
});

/** A step of a job, with IDs that earlier answers named. */
type Step = readonly [tool: string, toArguments: (answers: readonly Json[]) => Json];

const firstOf = (answer?: Json) => (answer?.['items'] as Json[] | undefined)?.[0]?.['id'];
const toFirst =
  (more: Json = {}) =>
  (answers: readonly Json[]) => ({ id: firstOf(answers[0]), ...more });
const links: Step = ['list_links', () => ({ limit: 5 })];
const share: Step = ['share_document', ([found]) => ({ document_id: firstOf(found) })];
const next =
  (more: Json) =>
  ([first]: readonly Json[]) => ({ ...more, cursor: first?.['next_cursor'] });

test.each<[string, number, readonly Step[]]>([
  ['share an existing document', 2500, [['list_documents', () => ({ limit: 5 })], share]],
  ['find a deck by a word and share it', 2500, [['find', () => ({ text: 'deck', groups: ['documents'] })], share]],
  ['gate a link that exists', 2000, [links, ['update_link', toFirst({ fields: { email_required: true } })]]],
  [
    'correct the name of a contact',
    2000,
    [
      ['list_contacts', () => ({ limit: 3 })],
      ['update_contact', toFirst({ fields: { name: 'New name' } })],
    ],
  ],
  ['read the totals of a link', 2000, [links, ['get_link_analytics', toFirst()]]],
  ['report who viewed a link', 8000, [links, ['report_link', toFirst()]]],
  [
    'read the metrics of a room',
    2500,
    [
      ['list_rooms', () => ({ limit: 3 })],
      ['get_room_analytics', toFirst()],
    ],
  ],
  [
    'read plan, usage and invoices',
    2500,
    [
      ['get_subscription', () => ({})],
      ['get_usage', () => ({})],
      ['list_invoices', () => ({ limit: 3 })],
    ],
  ],
  [
    'read two pages of agreements of a time',
    3000,
    [
      ['list_agreements', () => ({ since: '2020-01-01', limit: 2 })],
      ['list_agreements', next({ limit: 2 })],
    ],
  ],
  ['find nothing', 600, [['list_templates', () => ({ match: 'no template has this name' })]]],
  ['know what is left of the limit before a long job', 500, [['whoami', () => ({})]]],
])('%s: all arguments and answers have at most %i tokens', async (_, most, steps) => {
  const host = await openHostOnSandbox(await closeAfterTest(createSandbox()));
  const answers: Json[] = [];
  let tokens = 0;
  for (const [tool, toArguments] of steps) {
    const args = toArguments(answers);
    const { data, text, isError } = await host.call(tool, args);
    expect(isError, `${tool}: ${text}`).toBe(false);
    tokens += encode(JSON.stringify(args) + text).length;
    answers.push(data);
  }
  expect(tokens).toBeLessThanOrEqual(most);
});
