import { describe, expect, test } from 'vitest';
import { signEvent } from '../../../src/index.ts';
import { getOperation, type Item, outcomeOf, type ZapAnswer, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const serve = (answers: Record<string, ZapAnswer>) => zapStep(({ path }) => answers[path]);
const delivery = (event: unknown, inputData: Item = {}) => ({
  inputData,
  subscribeData: { id: 'wh_1', url: 'https://hooks.test/1' },
  rawRequest: { headers: {}, content: typeof event === 'string' ? event : JSON.stringify(event) },
});

const LINK = { id: 'lnk_1', name: 'Deck link', url: 'https://a.test/l/1', document_id: 'doc_1', email: 'owner@a.test' };
const VISIT = { id: 'vis_1', name: 'Ann', email: 'ann@a.test', country: 'DE' };
const AT = '2026-10-08T12:00:00Z';
const view = (data: Item) => ({ id: 'evt_1', type: 'link.viewed', created_at: AT, data });
const EVENT = view({ link_id: 'lnk_1', visit_id: 'vis_1' });
const LINK_EVENT = view({ link_id: 'lnk_1' });
const KNOWN = { '/links': { json: { data: [LINK] } }, '/analytics/visits/vis_1': { json: VISIT } };
const KNOWN_OTHER = { ...KNOWN, '/analytics/visits/vis_2': { json: { id: 'vis_2', link_id: 'lnk_2' } } };
const NO_LINKS = { '/links': { json: [] } };

describe('a view', () => {
  test.each<[string, Record<string, ZapAnswer>, Item, Item]>([
    [
      'gets the data of its link and visit',
      KNOWN,
      EVENT,
      {
        id: 'evt_1',
        viewed_at: '2026-10-08T12:00:00.000Z',
        link_id: 'lnk_1',
        link_name: 'Deck link',
        link_url: 'https://a.test/l/1',
        document_id: 'doc_1',
        visit_id: 'vis_1',
        visitor_name: 'Ann',
        visitor_email: 'ann@a.test',
      },
    ],
    ['does not take a link owner for the visitor', KNOWN, LINK_EVENT, { visitor_email: null, visitor_name: null }],
    [
      'does not take the totals and the last view of its link for its own, and joins the names of its visitor',
      { '/links': { json: [{ ...LINK, last_viewed_at: '2026-01-01', completion_rate: 0.61, country: 'US' }] } },
      view({ link_id: 'lnk_1', visitor: { first_name: 'Ann', last_name: 'van Lee' } }),
      { viewed_at: '2026-10-08T12:00:00.000Z', completion: null, country: null, visitor_name: 'Ann van Lee' },
    ],
    ['converts a share once', KNOWN, view({ link_id: 'lnk_1', completion: 0.01 }), { completion: 1 }],
    [
      'has the values of its visit from an object beside the link',
      { '/links': { json: [LINK] } },
      view({
        link: { id: 'lnk_1', name: 'Deck link' },
        view: { viewId: 'vis_9', email: 'ann@a.test', country: 'DE', viewedAt: '2026-10-07' },
      }),
      { visit_id: 'vis_9', visitor_email: 'ann@a.test', country: 'DE', viewed_at: '2026-10-07T00:00:00.000Z' },
    ],
  ])('%s', async (_, answers, event, shown) => {
    expect(await serve(answers).trigger('link_viewed', delivery(event))).toMatchObject([shown]);
  });

  const OPEN = texts.sentSealRecord;
  test.each<[string, Record<string, ZapAnswer>, Item, string | undefined]>([
    ['whose visit is not counted yet', { '/links': { json: [LINK] } }, EVENT, OPEN],
    ['of an unknown visit and link', NO_LINKS, EVENT, undefined],
    ['of an existing link without its visit', { '/links': { json: [LINK] } }, LINK_EVENT, OPEN],
    ['of a visit of another link', KNOWN_OTHER, view({ link_id: 'lnk_1', visit_id: 'vis_2' }), OPEN],
    ['of a visit alone', KNOWN_OTHER, view({ visit_id: 'vis_2' }), texts.theRecordWasFoundIn],
    [
      'whose link reports it',
      { ...KNOWN, '/analytics/links/lnk_1/visitors': { json: [{ email: 'Ann@a.test', last_seen_at: AT }] } },
      view({ link_id: 'lnk_1', email: 'ann@a.test' }),
      texts.theRecordWasFoundIn,
    ],
    [
      'whose link reports another visitor and an earlier view',
      {
        ...KNOWN,
        '/analytics/links/lnk_1/visitors': {
          json: [{ last_seen_at: AT }, { email: 'ann@a.test', last_seen_at: '2026-10-07' }],
        },
      },
      view({ link_id: 'lnk_1', email: 'ann@a.test' }),
      OPEN,
    ],
    ...[
      [{}, texts.theRecordWasFoundIn] as const,
      [{ visitor_name: 'ann' }, texts.theRecordWasFoundIn] as const,
      [{ visitor_name: 'Eve' }, OPEN] as const,
    ].map(([visitor, check]): [string, Record<string, ZapAnswer>, Item, string] => [
      `of ${JSON.stringify(visitor)} whose link reports Ann`,
      { ...KNOWN, '/analytics/links/lnk_1/visitors': { json: [{ ...VISIT, last_seen_at: AT }] } },
      view({ link_id: 'lnk_1', ...visitor }),
      check,
    ]),
    [
      'of a visit beside its own ID',
      KNOWN_OTHER,
      { ...view({}), visit_id: 'vis_2', data: undefined },
      texts.theRecordWasFoundIn,
    ],
    ['deleted link with metrics', { ...NO_LINKS, '/analytics/links/lnk_1': { json: { views: 1 } } }, LINK_EVENT, OPEN],
    ['of a link that never existed', NO_LINKS, LINK_EVENT, undefined],
    ['of a link after the first page', { '/links': { json: { data: [], next_cursor: 'n' } } }, LINK_EVENT, OPEN],
    ['the key may not read', { '/links': { status: 403 }, '/analytics/visits/vis_1': { status: 403 } }, EVENT, OPEN],
    ['without any ID', NO_LINKS, view({ note: 'x' }), OPEN],
  ])('%s runs only with its verification', async (_, answers, event, check) => {
    const step = serve(answers);
    const found = await step.trigger('link_viewed', delivery(event));
    expect(found.map((one) => one['check'])).toEqual(check === undefined ? [] : [check]);
    expect(step.logs).toHaveLength(check === undefined ? 1 : 0);
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
const signature = (data: Item) => ({ id: 'evt_2', type: 'envelope.signed', created_at: '2026-10-03T00:00:00Z', data });

test.each<[string, Item, Item, number]>([
  ['link_viewed', EVENT, { document: 'doc_1' }, 1],
  ['link_viewed', EVENT, { document: ' doc_1\n', link: 'null' }, 1],
  ['link_viewed', EVENT, { document: 'doc_2' }, 0],
  ['link_viewed', view({ visit_id: 'vis_1' }), { link: 'lnk_1' }, 1],
  ['envelope_signed', signature({ agreement_id: 'agr_1', status: 'completed' }), { template: 'tpl_1' }, 1],
  ['envelope_signed', signature({ agreement_id: 'agr_1', status: 'completed' }), { template: 'tpl_2' }, 0],
  ['envelope_signed', signature({ agreement_id: 'agr_1', status: 'completed' }), { name_contains: 'Offer' }, 0],
])('%s finds what its filter needs after the first page of a list: %j with %j', async (key, event, input, runs) => {
  const { trigger } = zapStep(({ path, query }) => {
    const [record] = path === '/links' ? [LINK] : path === '/agreements' ? [AGREEMENT] : [];
    if (!record) return undefined;
    return { json: query['cursor'] ? { data: [record] } : { data: [{ id: 'other' }], next_cursor: 'n' } };
  });
  expect(await trigger(key, delivery(event, input))).toHaveLength(runs);
});

test('past signatures are searched on the largest pages, until one passes the filters', async () => {
  const { trigger, calls } = zapStep(({ query }) => {
    const at = Number(query['cursor'] ?? 0);
    const records = [
      { id: 'agr_0', name: 'Open', status: 'sent' },
      { ...AGREEMENT, id: 'agr_9', template_id: 'tpl_2' },
      AGREEMENT,
    ];
    return { json: { data: [records[at] ?? { id: `agr_${at}`, status: 'sent' }], next_cursor: String(at + 1) } };
  });
  const test = (template: string) => trigger('envelope_signed', { inputData: { template } }, 'performList');
  expect(await test('tpl_1')).toMatchObject([{ agreement_id: 'agr_1', template_id: 'tpl_1', completed: true }]);
  expect(calls.map(({ query }) => query['limit'])).toEqual(['100', '100', '100']);
  expect(await test('tpl_3')).toEqual([]);
  expect(calls).toHaveLength(3 + 4);
});

describe('past views', () => {
  const visitors = (...data: Item[]) => ({ json: { data } });
  test('are those of the two newest links, newest first, filtered by the form', async () => {
    const { trigger, routes } = serve({
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
    });
    const events = await trigger('link_viewed', {}, 'performList');
    expect(events.map(({ id, visitor_email }) => [id, visitor_email])).toEqual([
      ['lnk_2-bob@a.test-2026-02-02T00:00:00.000Z', 'bob@a.test'],
      ['vis_1', 'ann@a.test'],
    ]);
    expect(events[0]).toMatchObject({ check: texts.thisExampleWasReadFrom, link_id: 'lnk_2' });
    expect(routes()).not.toContain('GET /analytics/links/lnk_0/visitors');
    const chosen = await trigger('link_viewed', { inputData: { document: 'doc_1' } }, 'performList');
    expect(chosen.map(({ id }) => id)).toEqual(['vis_1']);
    await trigger('link_viewed', delivery('hello'));
    const [newest, second] = await trigger('link_viewed', {}, 'performList');
    expect(newest?.['check']).toMatch(/^This example was read from Docshare.* ignored/);
    expect(second?.['check']).toBe(texts.thisExampleWasReadFrom);
  });
  test.each([{ id: 'vis_9' }, { id: 'vtr_1', visit_ids: ['vis_8', 'vis_9'] }, { id: 'vtr_1', last_visit_id: 'vis_9' }])(
    'of a link after the first page are read by its ID, with the last visit of %j',
    async (visitor) => {
      const { trigger } = serve({ ...NO_LINKS, '/analytics/links/lnk_9/visitors': visitors(visitor) });
      const events = await trigger('link_viewed', { inputData: { link: 'lnk_9' } }, 'performList');
      expect(events).toMatchObject([{ id: 'vis_9', link_id: 'lnk_9', visit_id: 'vis_9' }]);
    },
  );
  test('are empty if the key may not read them; the last ignored delivery is shown with the sample of its Zap', async () => {
    const { trigger } = serve({ '/links': { status: 403 }, ...agreements() });
    expect(await trigger('link_viewed', {}, 'performList')).toEqual([]);
    const zap = (id: string) => ({ meta: { zap: { id } } });
    await trigger('link_viewed', { ...delivery('hello'), ...zap('1') });
    expect(await trigger('link_viewed', zap('2'), 'performList')).toEqual([]);
    const [sample] = await trigger('link_viewed', zap('1'), 'performList');
    expect(sample).toMatchObject({ verified: false, check: expect.stringContaining(texts.inventedExampleLastIgnored) });
    expect(await trigger('envelope_signed', {}, 'performList')).toEqual([]);
  });
  test.each<[string, ZapAnswer]>([
    ['asks for a pause', { status: 429, json: {}, headers: { 'retry-after': '600' } }],
    ['does not know the key', { status: 401, json: { message: 'Unknown key' } }],
    ['fails', { status: 500, json: {} }],
    ['is another one', { json: { status: 'ok' } }],
  ])('are not an empty list if the service %s', async (_, answer) => {
    const { trigger } = serve({ '/links': answer });
    await expect(trigger('link_viewed', {}, 'performList')).rejects.toThrow();
  });
  test('have no reading times, and neither has the static sample: a view has just begun', () => {
    const { sample } = getOperation('triggers', 'link_viewed');
    expect(sample).toMatchObject({ duration_seconds: null, pages_viewed: null, completion: null });
  });
});

const SIGNED = signature({ agreement_id: 'agr_1' });
const agreements = (...items: Item[]) => ({ '/agreements': { json: items } });
const signed = (answers: Record<string, ZapAnswer>, event: Item = SIGNED, input: Item = {}) =>
  serve(answers).trigger('envelope_signed', delivery(event, input));

describe('a signature', () => {
  test.each<[Item, Item]>([
    [
      {},
      {
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
      },
    ],
    [{ signed_at: '2026-10-05T00:00:00Z' }, { signed_at: '2026-10-05T00:00:00.000Z' }],
    [{ recipients: ['ann@a.test'] }, { signer_email: 'ann@a.test', signer_name: null }],
    [
      { recipients: [{ email: 'ann@a.test', title: 'CEO', signed_at: '2026-10-02' }] },
      { signer_email: 'ann@a.test', signer_name: null },
    ],
  ])('of an agreement with %j returns %j', async (more, shown) => {
    expect(await signed(agreements({ ...AGREEMENT, ...more }))).toMatchObject([shown]);
  });

  test.each([
    ['early@a.test', false, null],
    ['ann@a.test', true, 'hydrate|||{"agreement_id":"agr_1"}'],
  ])('by %s that arrives after the last one completes the agreement: %s', async (signer_email, completed, file) => {
    const event = signature({ agreement_id: 'agr_1', signer_email });
    const [shown] = await signed(agreements(AGREEMENT), event, { when: 'each' });
    expect(shown).toMatchObject({ signer_email, completed, signed_document: file, verified: true });
  });

  const bo = { email: 'bo@a.test', first_name: 'Bo', last_name: 'Lee', status: 'signed' };
  const names = { signer_name: null, signer_first_name: null };
  test.each<[Item, boolean, Item]>([
    [{ signer_email: 'bo@a.test', signers: [{ email: 'a@a.test', name: 'A', status: 'signed' }, bo] }, true, bo],
    [{ signer_email: 'eve@a.test' }, true, { signer_email: 'eve@a.test', ...names }],
    [{ signer: { email: 'eve@a.test', name: 'Eve' } }, false, bo],
  ])('whose event has %j (signed: %s) has the name and email of one person', async (data, isSigned, person) => {
    const body = JSON.stringify(signature({ agreement_id: 'agr_1', ...data }));
    const secret = 'whsec_c2VjcmV0LWtleS1vZi1iYXNlNjQ=';
    const { headers } = isSigned ? signEvent(body, { secret, id: 'evt_2' }) : { headers: {} };
    const subscribeData = { id: 'wh_1', url: 'https://hooks.test/1', secret };
    const { trigger } = serve(agreements({ id: 'agr_1', status: 'signed', recipients: [bo] }));
    const expected =
      person === bo ? { signer_email: 'bo@a.test', signer_name: 'Bo Lee', signer_first_name: 'Bo' } : person;
    const bundle = { inputData: {}, subscribeData, rawRequest: { headers, content: body } };
    expect(await trigger('envelope_signed', bundle)).toMatchObject([expected]);
  });

  const unnamed = (at: string) => ({ ...signature({ agreement_id: 'agr_1' }), created_at: `2026-10-0${at}Z` });
  const bare = { id: 'agr_1', status: 'completed', sent_at: '2026-09-30T00:00:00Z', signed_at: '2026-10-02T00:00:00Z' };
  test.each<[Item, Item, Item]>([
    [unnamed('1T00:00:02'), AGREEMENT, { signer_email: 'early@a.test', completed: false, signed_document: null }],
    [unnamed('2T00:00:02'), AGREEMENT, { signer_email: 'ann@a.test', completed: true }],
    [unnamed('1T00:00:02'), bare, { completed: false }],
    [unnamed('2T00:00:02'), bare, { completed: true }],
  ])('of an event that names no signer is known by its time: %j of %j', async (event, item, shown) => {
    expect(await signed(agreements(item), event, { when: 'each' })).toMatchObject([shown]);
  });

  test.each<[Item, Item, string | null]>([
    [{ status: 'pending' }, { status: 'signed' }, 'bob@a.test'],
    [{ has_completed: false }, { has_completed: true }, 'bob@a.test'],
    [{ recipient_type: 'CC' }, {}, 'bob@a.test'],
    [{ status: 'signed' }, { status: 'signed' }, null],
    [{}, {}, null],
  ])('without a time, beside Ann with %j and Bob with %j, is by %s', async (ann, bob, signer_email) => {
    const recipients = [
      { email: 'ann@a.test', ...ann },
      { email: 'bob@a.test', ...bob },
    ];
    const item = { ...AGREEMENT, status: 'sent', recipients };
    expect(await signed(agreements(item), SIGNED, { when: 'each' })).toMatchObject([{ signer_email }]);
  });

  const document = (answer: ZapAnswer) => ({ ...agreements(), '/agreements/agr_1/document': answer });
  test.each<[string, Record<string, ZapAnswer>, Item, boolean | undefined]>([
    ['waits for others', agreements({ ...AGREEMENT, status: 'sent', recipients: ['ann@a.test'] }), SIGNED, undefined],
    ['never existed', agreements(), SIGNED, undefined],
    ['is not listed but has a document', document({ json: { url: 'https://files.test/a.pdf' } }), SIGNED, false],
    ['is not named', {}, signature({ note: 'x' }), false],
  ])('of an agreement that %s runs only with its verification', async (_, answers, event, verified) => {
    expect((await signed(answers, event)).map((one) => one['verified'])).toEqual(
      verified === undefined ? [] : [verified],
    );
  });

  const eve = { email: 'eve@a.test', signed_at: null };
  test.each<[string | undefined, Item[], boolean]>([
    ['eve@a.test', [eve, AGREEMENT.recipients[0] ?? {}], false],
    ['early@a.test', [eve, AGREEMENT.recipients[0] ?? {}], true],
    ['bo@a.test', [{ user: { email: 'bo@a.test' }, status: 'signed' }, eve], true],
    [undefined, [eve], false],
    ['eve@a.test', [{ email: 'eve@a.test' }], true],
  ])('by %s of an agreement with the signers %j is verified: %s', async (signer_email, recipients, verified) => {
    const event = signature({ agreement_id: 'agr_1', signer_email });
    const item = { id: 'agr_1', status: 'sent', recipients };
    expect(await signed(agreements(item), event, { when: 'each' })).toMatchObject([{ verified }]);
  });

  const bob = { email: 'bob@a.test', signed_at: '2026-10-01T00:00:00Z' };
  test.each<[Item, Item[], number, boolean]>([
    [{}, [{ email: 'ann@a.test' }], 1, true],
    [{ signer_email: 'Ann@a.test' }, [bob, { email: 'ann@a.test' }], 1, true],
    [{ status: 'completed' }, [], 1, true],
    [{ status: 'completed' }, [], 9, false],
    [{ signer_email: 'bob@a.test' }, [bob, { email: 'ann@a.test' }], 1, false],
  ])('that its record lacks (%j beside %j, %i min ago) is checked again: %s', async (data, recipients, age, again) => {
    const event = signature({ agreement_id: 'agr_1', ...data });
    const run = (status: string) => {
      const created_at = new Date(Date.now() - age * 60_000).toISOString();
      return signed(agreements({ id: 'agr_1', status, recipients }), { ...event, created_at });
    };
    expect(await outcomeOf(run('sent'))).toEqual(again ? expect.stringMatching(/^ThrottledError: .* minute/) : []);
    expect(await run('declined')).toEqual([]);
  });

  test('of one of two signers that its record lacks is checked again if each signature runs the Zap', async () => {
    const event = signature({ agreement_id: 'agr_1', signer_email: 'ann@a.test' });
    const recipients = ['ann@a.test', 'bob@a.test'].map((email) => ({ email, status: 'pending' }));
    const list = agreements({ id: 'agr_1', status: 'sent', recipients });
    const run = (when: string) => outcomeOf(signed(list, { ...event, created_at: new Date().toISOString() }, { when }));
    expect(await run('each')).toMatch(/^ThrottledError: .* minute/);
    expect(await run('completed')).toEqual([]);
  });

  test('of an agreement that cannot be found in time is checked again, unless each signature runs the Zap', async () => {
    const { trigger } = serve({ '/agreements': { json: { data: [{ id: 'agr_9' }], next_cursor: 'n' } } });
    await expect(trigger('envelope_signed', delivery(SIGNED))).rejects.toMatchObject({ name: 'ThrottledError' });
    const each = { ...delivery(SIGNED), inputData: { when: 'each' } };
    expect(await trigger('envelope_signed', each)).toMatchObject([{ verified: false }]);
  });

  test.each<[Item, number]>([
    [{ name_contains: 'nda' }, 1],
    [{ name_contains: 'ŃDA' }, 1],
    [{ template: 'tpl_1' }, 1],
    [{ template: 'tpl_2' }, 0],
  ])('with the filter %j runs %i', async (input, runs) => {
    expect(await signed(agreements(AGREEMENT), SIGNED, input)).toHaveLength(runs);
  });

  test('of the past is shown newest first, without unsigned agreements and those that the filter cannot decide', async () => {
    const recipients = [{ email: 'bob@a.test', signed_at: '2026-10-05T00:00:00Z' }];
    const { template_id: _, ...other } = { ...AGREEMENT, id: 'agr_2', recipients };
    const { trigger } = serve(agreements(AGREEMENT, other, { id: 'agr_3', status: 'draft' }));
    const ids = async (inputData: Item) =>
      (await trigger('envelope_signed', { inputData }, 'performList')).map(({ id, signer_email }) => [
        id,
        signer_email,
      ]);
    expect(await ids({})).toEqual([
      ['signed-agr_2', 'bob@a.test'],
      ['signed-agr_1', 'ann@a.test'],
    ]);
    expect(await ids({ template: 'tpl_1' })).toEqual([['signed-agr_1', 'ann@a.test']]);
  });
});
