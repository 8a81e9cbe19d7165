/** What reading jobs cost a model: the tokens of all arguments and answers, with IDs that earlier answers named. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { type Json, openHostOnSandbox } from '../support/mcp-host.ts';

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
])('%s: at most %i tokens', async (_, most, steps) => {
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
