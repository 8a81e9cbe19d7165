/** What instant triggers make of a delivery and of the service's word about it, and which past events they show. */
import { describe, expect, test } from 'vitest';
import { envelopeSigned } from '../../../../zapier/triggers/envelope-signed.ts';
import { linkViewed } from '../../../../zapier/triggers/link-viewed.ts';
import { createStub } from '../../../support/create-stub.ts';
import { type ZapAnswer, type ZapCall, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
type Hook = { perform: unknown; performList: unknown; performSubscribe: unknown; performUnsubscribe: unknown };
const viewed = createStub<Hook>(linkViewed.operation);
const signed = createStub<Hook>(envelopeSigned.operation);

const delivery = (event: unknown, inputData: Item = {}) => ({
  inputData,
  subscribeData: { id: 'wh_1', url: 'https://hooks.test/1' },
  rawRequest: { headers: {}, content: typeof event === 'string' ? event : JSON.stringify(event) } as never,
});
const by =
  (answers: Record<string, ZapAnswer>) =>
  ({ path }: ZapCall): ZapAnswer =>
    answers[path];

const LINK = { id: 'lnk_1', name: 'Deck link', url: 'https://a.test/l/1', document_id: 'doc_1', email: 'owner@a.test' };
const VISIT = { id: 'vis_1', name: 'Ann', email: 'ann@a.test', country: 'DE' };
const EVENT = {
  id: 'evt_1',
  type: 'link.viewed',
  created_at: '2026-10-08T12:00:00Z',
  data: { link_id: 'lnk_1', visit_id: 'vis_1' },
};

describe('a view', () => {
  const SERVICE = { '/links': { json: { data: [LINK] } }, '/analytics/visits/vis_1': { json: VISIT } };
  test('that the service knows is filled in from it, and is verified', async () => {
    const step = zapStep(by(SERVICE));
    const [event] = await step.run<Item[]>(viewed.perform, delivery(EVENT));
    expect(event).toMatchObject({
      id: 'evt_1',
      viewed_at: '2026-10-08T12:00:00.000Z',
      link_id: 'lnk_1',
      link_name: 'Deck link',
      link_url: 'https://a.test/l/1',
      document_id: 'doc_1',
      visit_id: 'vis_1',
      visitor_name: 'Ann',
      visitor_email: 'ann@a.test',
      verified: true,
      check: texts.theRecordWasFoundIn,
    });
  });
  test('claims nothing that the service says otherwise', async () => {
    const step = zapStep(by(SERVICE));
    const claim = { ...EVENT, data: { ...EVENT.data, visitor_email: 'forged@a.test', document_id: 'doc_9' } };
    const [event] = await step.run<Item[]>(viewed.perform, delivery(claim));
    expect(event).toMatchObject({ visitor_email: 'ann@a.test', document_id: 'doc_1' });
  });
  test.each<[string, Record<string, ZapAnswer>, Item, string | undefined]>([
    [
      'of a visit not counted yet, on a link that is there',
      { '/links': { json: [LINK] } },
      EVENT,
      texts.docshareSentSealRecord,
    ],
    ['of a visit and a link that are not there', { '/links': { json: [] } }, EVENT, undefined],
    [
      'of a link that the list lacks, whose id is refused as none',
      { '/links': { json: [] }, '/analytics/links/lnk_1': { status: 422, json: {} } },
      { ...EVENT, data: { link_id: 'lnk_1' } },
      undefined,
    ],
    [
      'of a link that is there',
      { '/links': { json: [LINK] } },
      { ...EVENT, data: { link_id: 'lnk_1' } },
      texts.theRecordWasFoundIn,
    ],
    ['of a link that is the data', { '/links': { json: [LINK] } }, { ...EVENT, data: LINK }, texts.theRecordWasFoundIn],
    [
      'of a deleted link with figures',
      { '/links': { json: [] }, '/analytics/links/lnk_1': { json: { views: 1 } } },
      { ...EVENT, data: { link_id: 'lnk_1' } },
      texts.docshareSentSealRecord,
    ],
    ['of a link that was never there', { '/links': { json: [] } }, { ...EVENT, data: { link_id: 'lnk_1' } }, undefined],
    [
      'of a link beyond the first page',
      { '/links': { json: { data: [], next_cursor: 'n' } } },
      { ...EVENT, data: { link_id: 'lnk_1' } },
      texts.docshareSentSealRecord,
    ],
    [
      'with a key that may read nothing',
      { '/links': { status: 403 }, '/analytics/visits/vis_1': { status: 403 } },
      EVENT,
      texts.docshareSentSealRecord,
    ],
    [
      'of a link that the list lacks, with a key that may not read its figures',
      { '/links': { json: [] }, '/analytics/links/lnk_1': { status: 403 } },
      { ...EVENT, data: { link_id: 'lnk_1' } },
      texts.docshareSentSealRecord,
    ],
    [
      'of nothing that is named',
      { '/links': { json: [] } },
      { ...EVENT, data: { note: 'x' } },
      texts.docshareSentSealRecord,
    ],
  ])('%s', async (_, answers, event, check) => {
    const step = zapStep(by(answers));
    const found = await step.run<Item[]>(viewed.perform, delivery(event));
    expect(found.map((one) => one['check'])).toEqual(check === undefined ? [] : [check]);
    expect(step.logs.length).toBe(check === undefined ? 1 : 0);
  });
  test.each<[string, Item, number]>([
    ['of the link that was asked for', { link: 'lnk_1' }, 1],
    ['of another link', { link: 'lnk_2' }, 0],
    ['of the document that only the service knows', { document: 'doc_1' }, 1],
    ['of another document', { document: 'doc_2' }, 0],
    ['with filters left empty', { link: '', document: '' }, 1],
  ])('%s runs the Zap %#', async (_, input, runs) => {
    const step = zapStep(by(SERVICE));
    expect(await step.run<Item[]>(viewed.perform, delivery(EVENT, input))).toHaveLength(runs);
  });
  test.each<[string, unknown, string]>([
    ['of another kind', { ...EVENT, type: 'envelope.signed' }, 'A message was a envelope.signed event and was ignored'],
    ['that is empty', {}, texts.aMessageCouldNotBe],
    ['that tries the address out', { type: 'ping' }, ''],
    ['that is not JSON', 'hello', texts.aMessageCouldNotBe],
  ])('%s runs nothing, and the log says why', async (_, event, words) => {
    const step = zapStep(by(SERVICE));
    expect(await step.run<Item[]>(viewed.perform, delivery(event))).toEqual([]);
    expect(step.logs.join()).toContain(words);
  });
  test('that comes twice runs the Zap once', async () => {
    const step = zapStep(by(SERVICE));
    expect(await step.run<Item[]>(viewed.perform, delivery(EVENT))).toHaveLength(1);
    expect(await step.run<Item[]>(viewed.perform, delivery(EVENT))).toEqual([]);
  });
  test('whose bytes the platform did not keep is read from what it parsed', async () => {
    const step = zapStep(by(SERVICE));
    const bundle = {
      ...delivery(EVENT),
      rawRequest: undefined as never,
      cleanedRequest: { ...EVENT, querystring: { a: 1 } } as never,
    };
    const found = await step.run<Item[]>(viewed.perform, bundle);
    expect(found.map(({ raw }) => raw)).toEqual([EVENT]);
  });
  test('takes nothing of the link for the visitor’s, and no name of a visit for its visitor’s own', async () => {
    const anonymous = zapStep(by({ '/links': { json: [LINK] } }));
    const event = { ...EVENT, data: { link_id: 'lnk_1' } };
    expect(await anonymous.run<Item[]>(viewed.perform, delivery(event))).toMatchObject([
      { link_name: 'Deck link', visitor_email: null, visitor_name: null },
    ]);
    const visit = { ...VISIT, name: 'Visit 7', visitor_name: 'Ann Lee' };
    const named = zapStep(by({ ...SERVICE, '/analytics/visits/vis_1': { json: visit } }));
    expect(await named.run<Item[]>(viewed.perform, delivery(EVENT))).toMatchObject([
      { visitor_name: 'Ann Lee', visit_id: 'vis_1' },
    ]);
  });
});

describe('past views', () => {
  const visitors = (...data: Item[]) => ({ json: { data } });
  test('are those of the newest links, newest first, as the form wants them', async () => {
    const step = zapStep(
      by({
        '/links': {
          json: {
            data: [
              { ...LINK, created_at: '2026-01-02T00:00:00Z' },
              { id: 'lnk_2', document_id: 'doc_2', created_at: '2026-01-03T00:00:00Z' },
              { id: 'lnk_0', created_at: '2026-01-01T00:00:00Z' },
            ],
          },
        },
        '/analytics/links/lnk_1/visitors': visitors({
          email: 'ann@a.test',
          viewed_at: '2026-02-01T00:00:00Z',
          visit_id: 'vis_1',
        }),
        '/analytics/links/lnk_2/visitors': visitors({ email: 'bob@a.test', viewed_at: '2026-02-02T00:00:00Z' }),
      }),
    );
    const events = await step.run<Item[]>(viewed.performList);
    expect(events.map(({ id, visitor_email }) => [id, visitor_email])).toEqual([
      ['lnk_2-bob@a.test-2026-02-02T00:00:00.000Z', 'bob@a.test'],
      ['vis_1', 'ann@a.test'],
    ]);
    expect(events[0]).toMatchObject({ check: texts.thisExampleWasReadFrom, link_id: 'lnk_2' });
    expect(step.calls.map(({ path }) => path)).not.toContain('/analytics/links/lnk_0/visitors');
    const chosen = await step.run<Item[]>(viewed.performList, { inputData: { document: 'doc_1' } });
    expect(chosen.map(({ id }) => id)).toEqual(['vis_1']);
  });
  test('of a link beyond the first page are asked for by its id', async () => {
    const step = zapStep(by({ '/links': { json: [] }, '/analytics/links/lnk_9/visitors': visitors({ id: 'vis_9' }) }));
    const events = await step.run<Item[]>(viewed.performList, { inputData: { link: 'lnk_9' } });
    expect(events).toMatchObject([{ id: 'vis_9', link_id: 'lnk_9' }]);
  });
  test('are none where the key may not read them, and the last drop is told with the sample', async () => {
    const step = zapStep(by({ '/links': { status: 403 } }));
    expect(await step.run<Item[]>(viewed.performList)).toEqual([]);
    await step.run(viewed.perform, delivery('hello'));
    const [sample] = await step.run<Item[]>(viewed.performList);
    expect(sample).toMatchObject({ verified: false, check: expect.stringContaining(texts.inventedExampleLastIgnored) });
  });
  test('of a service that asks for patience are no empty list', async () => {
    const step = zapStep(by({ '/links': { status: 429, json: {}, headers: { 'retry-after': '600' } } }));
    await expect(step.run(viewed.performList)).rejects.toThrow();
  });
});

const AGREEMENT = {
  id: 'agr_1',
  name: 'NDA with Northwind',
  status: 'completed',
  template_id: 'tpl_1',
  recipients: [
    { email: 'early@a.test', signed_at: '2026-10-01T00:00:00Z' },
    { email: 'ann@a.test', name: 'Ann', signed_at: '2026-10-02T00:00:00Z' },
  ],
};
const SIGNED = {
  id: 'evt_2',
  type: 'envelope.signed',
  created_at: '2026-10-03T00:00:00Z',
  data: { agreement_id: 'agr_1' },
};

describe('a signature', () => {
  test('is filled in from the agreement, its last signer among it', async () => {
    const step = zapStep(by({ '/agreements': { json: { data: [AGREEMENT] } } }));
    const [event] = await step.run<Item[]>(signed.perform, delivery(SIGNED));
    expect(event).toMatchObject({
      id: 'evt_2',
      agreement_id: 'agr_1',
      agreement_name: 'NDA with Northwind',
      status: 'completed',
      signer_email: 'ann@a.test',
      signer_name: 'Ann',
      signed_at: '2026-10-02T00:00:00.000Z',
      template_id: 'tpl_1',
      signed_document: 'hydrate|||{"agreement_id":"agr_1"}',
      verified: true,
    });
  });
  test.each<[Item, Item]>([
    [{ signed_at: '2026-10-05T00:00:00Z' }, { signed_at: '2026-10-05T00:00:00.000Z' }],
    [{ recipients: ['ann@a.test'] }, { signer_email: 'ann@a.test', signer_name: null }],
    [{ recipients: [] }, { signer_email: null, signer_name: null }],
  ])('of an agreement with %j has %j', async (more, shown) => {
    const step = zapStep(by({ '/agreements': { json: { data: [{ ...AGREEMENT, ...more }] } } }));
    expect(await step.run<Item[]>(signed.perform, delivery(SIGNED))).toMatchObject([shown]);
  });
  test.each<[string, Record<string, ZapAnswer>, Item, boolean | undefined]>([
    [
      'of an agreement that is not signed by all',
      { '/agreements': { json: [{ ...AGREEMENT, status: 'sent', recipients: ['ann@a.test'] }] } },
      SIGNED,
      undefined,
    ],
    ['of none that was ever there', { '/agreements': { json: [] } }, SIGNED, undefined],
    [
      'of one whose document is there',
      { '/agreements': { json: [] }, '/agreements/agr_1/document': { json: { url: 'https://files.test/a.pdf' } } },
      SIGNED,
      false,
    ],
    ['of one beyond the first page', { '/agreements': { json: { data: [], next_cursor: 'n' } } }, SIGNED, false],
    [
      'of one whose document the service can not say anything of',
      { '/agreements': { json: [] }, '/agreements/agr_1/document': { status: 402 } },
      SIGNED,
      false,
    ],
    ['that names none', {}, { ...SIGNED, data: { note: 'x' } }, false],
  ])('%s', async (_, answers, event, verified) => {
    const step = zapStep(by(answers));
    const found = await step.run<Item[]>(signed.perform, delivery(event));
    expect(found.map((one) => one['verified'])).toEqual(verified === undefined ? [] : [verified]);
  });
  test.each<[Item, number]>([
    [{ name_contains: 'nda' }, 1],
    [{ name_contains: 'contract' }, 0],
    [{ template: 'tpl_1' }, 1],
    [{ template: 'tpl_2' }, 0],
  ])('with the filter %j runs %i', async (input, runs) => {
    const step = zapStep(by({ '/agreements': { json: [AGREEMENT] } }));
    expect(await step.run<Item[]>(signed.perform, delivery(SIGNED, input))).toHaveLength(runs);
  });
  test('of the past is shown, newest first, and what is unsigned is not', async () => {
    const other = {
      ...AGREEMENT,
      id: 'agr_2',
      recipients: [{ email: 'bob@a.test', signed_at: '2026-10-05T00:00:00Z' }],
    };
    const step = zapStep(by({ '/agreements': { json: [AGREEMENT, other, { id: 'agr_3', status: 'draft' }] } }));
    const events = await step.run<Item[]>(signed.performList);
    expect(events.map(({ id, signer_email }) => [id, signer_email])).toEqual([
      ['signed-agr_2', 'bob@a.test'],
      ['signed-agr_1', 'ann@a.test'],
    ]);
  });
});

test('a signature of the past that does not say what a filter asks for is not shown as if it fitted', async () => {
  const { template_id: _, ...silent } = { ...AGREEMENT, id: 'agr_9' };
  const step = zapStep(by({ '/agreements': { json: [AGREEMENT, silent] } }));
  const events = await step.run<Item[]>(signed.performList, { inputData: { template: 'tpl_1' } });
  expect(events.map(({ id }) => id)).toEqual(['signed-agr_1']);
});

test('a Zap without an address can not subscribe, and one that is turned off leaves nothing', async () => {
  const step = zapStep(({ method, path }) =>
    method === 'GET'
      ? { json: [{ id: 'wh_1', url: 'https://hooks.test/1' }] }
      : path === '/webhooks/wh_1'
        ? { status: 204 }
        : undefined,
  );
  await expect(step.run(viewed.performSubscribe)).rejects.toThrow(texts.turnZapOffAgain);
  expect(await step.run(viewed.performUnsubscribe, { targetUrl: 'https://hooks.test/1' })).toEqual({});
  expect(step.calls.map(({ method, path }) => `${method} ${path}`)).toContain('DELETE /webhooks/wh_1');
});
