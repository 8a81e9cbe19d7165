import { beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { DIFFERENT_PRESETS } from '../support/presets-without-waits.ts';
import { type Fields, openZapierContext, type Platform } from '../support/zapier-lambda.ts';

describe.each(DIFFERENT_PRESETS)('the built zip on a service like "%s"', (name, profile) => {
  let zap: Platform;
  let sandbox: Sandbox;
  let find: Platform['find'];
  let act: Platform['act'];
  const idOf = async (search: string, inputData: Fields) => (await find(search, inputData))[0]?.['id'];

  beforeAll(async () => {
    const context = await openZapierContext(profile, { data: 'empty' });
    ({ zap, sandbox } = context);
    ({ find, act } = zap);
    return context.close;
  });

  test('records are found by name, an exact match first, and a miss is an empty list', async () => {
    for (const name of ['Plan B draft.txt', 'Plan B', 'Other.txt'])
      await act('upload_document', { file: 'data:,Text.', name });
    const found = await find('find_document', { name: ' plan  b ', match: 'contains' });
    expect(found.map(({ name }) => name)).toEqual(['Plan B', 'Plan B draft.txt']);
    await act('create_room', { name: 'Series A' });
    await act('create_template', { name: 'NDA', document: found[0]?.['id'] });
    await act('create_proposal', { name: 'Relaunch', recipient_emails: ['ann@x.example'] });
    for (const [resource, name] of Object.entries({ room: 'Series A', template: 'NDA', proposal: 'Relaunch' })) {
      const [record] = await find(`find_${resource}`, { name: name.toLowerCase() });
      expect(record).toMatchObject({ name, id: expect.any(String) });
      expect(await find(`find_${resource}`, { name: 'nowhere to be found' })).toEqual([]);
      expect(await find(`find_${resource}`, { name: record?.['id'] })).toMatchObject([{ name }]);
    }
  });

  test('a contact is found by its address before one that only has the address in its name', async () => {
    await act('create_contact', { email: 'ann@x.example.org', name: 'Ann ann@x.example Lee' });
    await act('create_contact', { email: 'ann@x.example', name: 'Ann' });
    const found = await find('find_contact', { query: 'ANN@x.example', match: 'contains' });
    expect(found.map(({ email }) => email)).toEqual(['ann@x.example', 'ann@x.example.org']);
    expect(await find('find_contact', { query: 'lee', match: 'contains' })).toMatchObject([
      { email: 'ann@x.example.org' },
    ]);
  });

  test('a link is found, its visits are counted and each is returned', async () => {
    const document = await idOf('find_document', { name: 'Plan B' });
    const link = await act('create_link', { document, email_required: true, fields: { name: 'For Ann' } });
    expect(await find('find_link', { query: String(link['url']) })).toMatchObject([{ id: link['id'] }]);
    expect(await find('find_link', { query: 'for ann', document })).toHaveLength(1);
    const other = await idOf('find_document', { name: 'Other.txt' });
    expect(await find('find_link', { query: 'for ann', document: other })).toEqual([]);

    for (const email of ['ann@x.example', 'bob@x.example', 'ann@x.example'])
      await sandbox.visit(String(link['id']), { email, pages: [3] });
    const [totals] = await find('get_link_analytics', { link: link['id'] });
    const counts = { views: 3, unique_visitors: 2, total_seconds: 9 };
    expect(totals).toMatchObject({ id: link['id'], link_name: 'For Ann', ...counts });
    expect(totals?.['pages']).toMatchObject([{ page: 1, views: 3 }]);
    const visitors = await find('list_link_visitors', { link: link['id'] });
    expect(visitors.map(({ email }) => email).toSorted()).toEqual(['ann@x.example', 'bob@x.example']);
    const [ann] = await find('list_link_visitors', { link: link['id'], email: 'Ann Lee <Ann@x.example>' });
    expect(ann).toMatchObject({ visit_count: 2, link_id: link['id'] });

    const { results: choices } = await zap.run<{ results: { id: string; label: string }[] }>(
      'searches.get_visit.operation.inputFields.0.choices.perform',
      { inputData: {} },
    );
    expect(choices).toHaveLength(3);
    expect(choices.map(({ id }) => id)).toContain(ann?.['last_visit_id']);
    const [visit] = await find('get_visit', { visit: ann?.['last_visit_id'], link: link['id'] });
    expect(visit).toMatchObject({
      id: ann?.['last_visit_id'],
      link_id: link['id'],
      link_name: 'For Ann',
      document_id: document,
      visitor_email: 'ann@x.example',
      duration_seconds: 3,
      pages: [{ page: 1, seconds: 3 }],
    });
    expect(visit?.['viewed_at']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  test('an unknown ID gives an empty list', async () => {
    const id = name === 'numeric' || name === 'legacy' ? '987654321' : 'nobody-knows';
    for (const [key, input] of Object.entries({
      get_link_analytics: { link: id },
      list_link_visitors: { link: id },
      get_room_analytics: { room: id },
      get_visit: { visit: id },
      get_document_pages: { document: id },
      get_signed_document: { agreement: id },
    }))
      expect(await find(key, input), key).toEqual([]);
  });

  test('pages, room metrics and billing are read', async () => {
    const document = await idOf('find_document', { name: 'Plan B' });
    const [pages] = await find('get_document_pages', { document });
    expect(pages).toMatchObject({ id: document, page_count: 0, pages: [] });
    const room = await idOf('find_room', { name: 'Series A' });
    expect(await find('get_room_analytics', { room })).toMatchObject([
      { id: room, room_name: 'Series A', views: 0, link_count: 0 },
    ]);
    const [subscription] = await find('get_subscription');
    expect(subscription).toMatchObject({ plan: 'business', status: 'active', seats: 12, currency: 'USD' });
    const [usage] = await find('get_usage');
    expect(usage).toMatchObject({ documents: 3, links: 1, rooms: 1 });
    const invoices = await find('list_invoices', { status: 'Paid' });
    expect(invoices).toHaveLength(12);
    expect(invoices[0]).toMatchObject({ status: 'paid', amount: 348, currency: 'USD' });
    const issued = invoices.map((invoice) => String(invoice['issued_at']));
    expect(issued).toEqual(issued.toSorted().reverse());
    expect(await find('list_invoices', { status: 'overdue' })).toEqual([]);
  });

  test('a signed document is a file; an unsigned agreement has none', async () => {
    const document = await idOf('find_document', { name: 'Plan B' });
    await act('create_agreement', { name: 'NDA Ann', document, signer_emails: ['Ann <ann@x.example>'] });
    const agreement = await idOf('find_agreement', { name: 'NDA Ann' });
    await act('send_agreement', { agreement });
    expect(await find('get_signed_document', { agreement })).toEqual([]);
    await sandbox.sign(String(agreement), { email: 'ann@x.example' });
    const [signed] = await find('get_signed_document', { agreement });
    expect(signed).toMatchObject({ id: agreement, name: 'NDA Ann', status: 'signed' });
    const pointer = String(signed?.['signed_document']);
    expect(pointer).toMatch(/^hydrate\|\|\|/);
    expect(pointer).not.toContain(sandbox.url);
    await zap.run('hydrators.fetchSignedDocument', { inputData: { agreement_id: agreement } });
    expect(zap.stash.at(-1)?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('live searches have every key of the sample, and each key is labelled', async () => {
    const { default: app } = await import('../../zapier/index.ts');
    const document = await idOf('find_document', { name: 'Plan B' });
    const link = await idOf('find_link', { query: 'For Ann' });
    const agreement = await idOf('find_agreement', { name: 'NDA Ann' });
    const [visitor] = await find('list_link_visitors', { link });
    const inputs: Record<string, Fields> = {
      find_link: { query: 'For Ann' },
      find_room: { name: 'Series A' },
      find_document: { name: 'Plan B' },
      find_agreement: { name: 'NDA Ann' },
      find_proposal: { name: 'Relaunch' },
      find_template: { name: 'NDA' },
      find_contact: { query: 'ann@x.example' },
      get_link_analytics: { link },
      list_link_visitors: { link },
      get_room_analytics: { room: await idOf('find_room', { name: 'Series A' }) },
      get_visit: { visit: visitor?.['last_visit_id'] },
      get_document_pages: { document },
      get_signed_document: { agreement },
    };
    for (const [key, search] of Object.entries(app.searches ?? {})) {
      const { sample = {}, outputFields = [] } = search.operation as {
        sample?: Fields;
        outputFields?: { key: string; label?: string }[];
      };
      const [result] = await find(key, inputs[key]);
      expect(Object.keys(result ?? {}).toSorted(), key).toEqual(expect.arrayContaining(Object.keys(sample).toSorted()));
      const labelled = outputFields.filter(({ label }) => label).map((field) => field.key.split('[]')[0]);
      expect(labelled, key).toEqual(expect.arrayContaining(Object.keys(result ?? {})));
    }
  });
});

test('pages are line items, and an empty search text is rejected with the name of the field', async () => {
  const { zap } = await closeAfterTest(openZapierContext());
  const documents = await zap.trigger('new_document');
  const paged = documents.find((document) => Number(document['page_count']) > 1);
  const [found] = await zap.find('get_document_pages', { document: paged?.['id'] });
  expect(found).toMatchObject({ page_count: paged?.['page_count'] });
  expect((found?.['pages'] as Fields[] | undefined)?.[1]).toMatchObject({
    page: 2,
    width: expect.any(Number),
    image_url: expect.stringMatching(/^http/),
  });
  const error = await zap.runError('searches.find_room.operation.perform', { inputData: { name: ' ' } });
  expect(error.message).toContain('Room Name');
});
