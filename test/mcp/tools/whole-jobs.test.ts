import { beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { firstRows, type Host, type Json, openHostOnSandbox, openHostOnService } from '../../support/mcp-host.ts';

let sandbox: Sandbox;
let host: Host;
beforeEach(async () => {
  sandbox = await closeAfterTest(createSandbox({ seed: 1 }));
  host = await openHostOnSandbox(sandbox);
});

const call = async (tool: string, args: Json = {}) => (await host.call(tool, args)).data;
const codeOf = async (tool: string, args: Json) => (await host.call(tool, args)).error['code'];
const list = async (tool: string) => (await call(tool, { limit: 100 }))['items'] as Json[];

/** Makes a call, and approves it if it asks. */
async function approve(tool: string, args: Json) {
  const asked = await call(tool, args);
  const { confirm_token } = asked;
  return { asked, done: confirm_token === undefined ? asked : await call(tool, { ...args, confirm_token }) };
}

test('get returns everything about an object: its state, its references, and where it is used', async () => {
  const [link = {}] = await list('list_links');
  const document = await call('get', { id: link['document_id'] });
  expect(document).toMatchObject({
    group: 'documents',
    used_in: {
      links: expect.arrayContaining([expect.objectContaining({ id: link['id'], views: link['view_count'] })]),
    },
  });
  await approve('update_link', { id: link['id'], fields: { expires_at: '2020-01-01T00:00:00Z' } });
  expect(await call('get', { id: link['id'] })).toMatchObject({
    group: 'links',
    state: 'expired',
    max_visitors: null,
    document: { id: link['document_id'], name: document['name'] },
    analytics: { views: link['view_count'] },
  });
  const sent = (await list('list_agreements')).find(({ status }) => status === 'sent') ?? {};
  const [person] = sent['recipients'] as Json[];
  expect(await call('get', { id: sent['id'] })).toMatchObject({ state: 'sent', waiting_for: [person?.['email']] });
  const contact = (await list('list_contacts')).find(({ email }) => email === person?.['email']) ?? {};
  expect(await call('get', { id: contact['id'], group: 'contact' })).toMatchObject({
    used_in: { agreements: expect.arrayContaining([expect.objectContaining({ id: sent['id'] })]) },
  });
  expect(await codeOf('get', { id: 'nope' })).toBe('not_found');
  expect((await host.call('get', { id: 'nope', group: 'lnks' })).error['message']).toContain('did you mean "links"');
});

test('activity returns the events since the last complete call, newest first, and names the parts it could not read', async () => {
  const first = await call('activity');
  const times = (first['items'] as Json[]).map(({ at }) => Date.parse(String(at)));
  expect(times.length).toBeGreaterThan(3);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  const second = await call('activity');
  expect(Date.parse(String(second['since']))).toBeGreaterThan(Date.parse(String(first['since'])));
  expect((second['items'] as Json[]).length).toBeLessThan(times.length);
  const link = (await list('list_links')).find(({ email_required, status }) => email_required && status === 'active');
  await sandbox.visit(String(link?.['id']), { email: 'zoe@example.com', pages: [3, 4] });
  const draft = (await list('list_agreements')).find(({ status }) => status === 'draft');
  await approve('send_agreement', { id: draft?.['id'] });
  const { items } = await call('activity');
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: 'viewed', who: 'zoe@example.com', link_id: link?.['id'], is_new: true }),
      expect.objectContaining({ what: 'sent', agreement_id: draft?.['id'] }),
    ]),
  );
  expect(await call('activity', { who: 'zoe' })).toMatchObject({ items: [{ what: 'viewed', who: 'zoe@example.com' }] });
  const ofDraft = (await call('activity', { id: draft?.['id'] }))['items'] as Json[];
  expect(new Set(ofDraft.map(({ agreement_id }) => agreement_id))).toEqual(new Set([draft?.['id']]));
  const all = await call('activity', { since: '2020-01-01', limit: 2 });
  expect(all).toMatchObject({ items: [{}, {}], remaining: expect.any(Number) });
  const limited = await openHostOnSandbox(sandbox, { args: ['--groups', 'agreements'] });
  const { data } = await limited.call('activity', { since: '2020-01-01' });
  expect(data['not_read']).toEqual(
    expect.arrayContaining([expect.stringContaining('visits'), expect.stringContaining('proposals')]),
  );
});

test('activity finds all events of a person, whatever the spelling of the service and the length of its pages', async () => {
  const visitor = (at: number) => ({ id: `v${at}`, Email: `p${at}@acme.example`, LastSeenAt: `2026-11-0${at}` });
  const signer = { name: 'Ann Lee', Email: 'ann@acme.example', SignedAt: '2026-11-08' };
  const ACCEPTED = {
    id: 'p1',
    Name: 'Offer',
    AcceptedAt: '2026-11-09',
    Signers: [{ contact: { Email: signer.Email } }],
  };
  const DECLINED = { id: 'p2', Status: 'declined', DeclinedAt: '2026-11-02', UpdatedAt: '2026-11-03' };
  const lists: Json = {
    '/links': { items: [{ id: 'l1', Name: 'Deck' }] },
    '/rooms': { items: [] },
    '/agreements': { items: [{ id: 'a1', Name: 'NDA', Status: 'signed', Recipients: [signer] }] },
    '/proposals': { items: [ACCEPTED, DECLINED] },
  };
  const service = await openHostOnService(({ path, query }) => {
    const page = Number(query.get('cursor') ?? 1);
    const visitors = [visitor(page), ...(page === 3 ? [{ ...visitor(7), Email: 'ANN@acme.example' }] : [])];
    return { json: lists[path] ?? { items: visitors, ...(page < 3 ? { next_cursor: String(page + 1) } : {}) } };
  });
  const { data } = await service.call('activity', { who: 'ann@acme' });
  expect(data).not.toHaveProperty('not_read');
  expect(data['items']).toMatchObject([
    { what: 'accepted', proposal_id: 'p1', recipients: ['ann@acme.example'] },
    { what: 'signed', agreement_id: 'a1', who: 'ann@acme.example' },
    { what: 'viewed', link_id: 'l1', who: 'ANN@acme.example' },
  ]);
  const deals = (await service.call('activity', { since: '2026-11-01', groups: ['agreements', 'proposals'] })).data;
  expect((deals['items'] as Json[]).map(({ what }) => what)).toEqual(['accepted', 'signed', 'declined']);
  expect((await service.call('activity', { groups: ['deals'] })).error).toMatchObject({ code: 'invalid_arguments' });
});

test('forty people get forty named links with one approval that shows all of them, and never a second link', async () => {
  const [document = {}] = await list('list_documents');
  const recipients = Array.from({ length: 40 }, (_, at) => `Reader ${at} <r${at}@acme.example>`);
  const args = { document_id: document['id'], recipients };
  const { asked, done } = await approve('create_personal_links', args);
  for (const recipient of recipients) expect(asked['preview']).toContain(recipient);
  expect((done['items'] as Json[]).length).toBe(40);
  // An open link that is named after a person is not their personal link.
  await approve('create_link', { document_id: document['id'], name: 'new@acme.example' });
  const more = { ...args, recipients: [...recipients.slice(1), 'new@acme.example'], fields: { max_visitors: 3 } };
  const { done: again } = await approve('create_personal_links', more);
  expect(again).toMatchObject({ done: true, items: [{ email: 'new@acme.example' }], existing: expect.any(Array) });
  expect(again['note']).toContain('fields were not applied');
  const [first] = done['items'] as Json[];
  await sandbox.visit(String(first?.['id']), { email: 'r0@acme.example', pages: [3] });
  const { not_opened } = await call('get', { id: document['id'] });
  // One of the two is the open link.
  expect((not_opened as string[]).filter((name) => name === 'new@acme.example')).toHaveLength(2);
  expect(not_opened).toHaveLength(41);
  expect(not_opened).not.toContain('Reader 0 <r0@acme.example>');
  for (const wrong of [[], ['nobody'], Array.from({ length: 41 }, (_, at) => `${at}@a.example`)])
    expect(await codeOf('create_personal_links', { ...args, recipients: wrong })).toBe('invalid_arguments');
});

/** Arguments of a call that creates 40 links. */
const planLinks = (at: number) => ({
  document_id: 'd1',
  recipients: Array.from({ length: 40 }, (_, one) => `p${one}.${at}@a.example`),
});

test('a plan that reaches the rate limit continues without another approval and runs no step twice', async () => {
  const service = await openHostOnService(({ method, path }) => {
    if (method === 'POST') return { json: { id: 'l1', url: 'https://x.example/1' } };
    return { json: path === '/links' ? [] : { id: 'd1', name: 'Deck' } };
  });
  let [left, approvals] = [0, 0];
  for (const at of [0, 1, 2, 3]) {
    const { data } = await service.call('create_personal_links', planLinks(at));
    approvals += 1;
    const confirmed = { ...planLinks(at), confirm_token: data['confirm_token'] };
    const { data: done } = await service.call('create_personal_links', confirmed);
    left = Number(done['left'] ?? 0);
    if (left > 0) {
      const { data: next } = await service.call('create_personal_links', planLinks(at));
      expect(next).not.toHaveProperty('preview');
      expect(next).toMatchObject({ left, done: false });
      // Another plan needs a question, which the rate limit delays.
      const other = { ...planLinks(at), fields: { nda: null } };
      expect((await service.call('create_personal_links', other)).error).toMatchObject({ code: 'rate_limited' });
      break;
    }
  }
  expect(left).toBeGreaterThan(0);
  expect(approvals).toBeLessThanOrEqual(3);
  const created = service.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(new Set(created).size).toBe(created.length);
});

test('a plan is rejected if a step failed in an earlier call, and the failed step is named', async () => {
  let created = 0;
  const service = await openHostOnService(({ method, path }) => {
    if (method === 'POST') {
      created += 1;
      return created === 2 ? { status: 422, json: {} } : { json: { id: `l${created}`, url: 'https://x.example/1' } };
    }
    return { json: path === '/links' ? [] : { id: 'd1', name: 'Deck' } };
  });
  for (const at of [0, 1, 2, 3]) {
    const { data } = await service.call('create_personal_links', planLinks(at));
    const confirmed = { ...planLinks(at), confirm_token: data['confirm_token'] };
    created = 0;
    const { data: done } = await service.call('create_personal_links', confirmed);
    expect(done).toMatchObject({ done: false, failed: [{ email: `p1.${at}@a.example` }] });
    if (done['left'] === undefined) continue;
    const { data: next } = await service.call('create_personal_links', planLinks(at));
    expect(next).toMatchObject({ done: false, failed: [{ email: `p1.${at}@a.example` }] });
    return;
  }
  expect.fail('The rate limit was not reached.');
});

test('one tag of a contact can be removed, and the others are kept', async () => {
  const contact = (await list('list_contacts')).find(({ tags }) => (tags as string[]).length > 0) ?? {};
  const [first, ...others] = contact['tags'] as string[];
  const args = { ids: [contact['id']], tags: ['vip'], remove: [String(first).toUpperCase()] };
  expect(await call('add_contact_tags', args)).toMatchObject({ done: true });
  expect(await call('get', { id: contact['id'] })).toMatchObject({ tags: [...others, 'vip'] });
  expect(await codeOf('add_contact_tags', { id: 'nope', remove: ['x'] })).toBe('not_found');
});

test('a new group gets access in the same call, and the others keep their access', async () => {
  const [room = {}] = await list('list_rooms');
  const [group] = (await call('get', { id: room['id'] }))['groups'] as Json[];
  const args = { id: room['id'], name: 'Verde', emails: ['zoe@verde.example'], access: 'view' };
  const { asked, done } = await approve('add_room_group', args);
  expect(String(asked['preview']).replaceAll('\n', ' ')).toMatch(/"Verde".*zoe@verde.example, with access "view"/);
  const rules = JSON.stringify((await call('get', { id: room['id'] }))['permissions']);
  for (const id of [done['id'], group?.['id']]) expect(rules).toContain(String(id));
  const permissions = [{ group_id: done['id'], access: 'download' }];
  const change = { id: room['id'], keep_others: true, fields: { permissions } };
  // Nothing can be kept in a room that is not found, so nobody is asked.
  const unknown = await host.call('set_room_permissions', { ...change, id: 'r' });
  expect(unknown.error).toMatchObject({ code: expect.stringMatching(/^invalid_/) });
  const changed = await approve('set_room_permissions', change);
  expect(changed.asked['preview']).toMatch(/"Verde" \(1 person\):\s+"view"\s+→\s+"download"\./);
  expect(JSON.stringify((await call('get', { id: room['id'] }))['permissions'])).toContain(String(group?.['id']));
});

test('a question about several links first names those that open access, and counts them', async () => {
  const links = [0, 1, 2, 3].map((at) => ({
    id: `l${at}`,
    name: `L${at}`,
    document_id: 'd1',
    expires_at: '2020-01-01',
  }));
  let version = 0;
  const service = await openHostOnService(({ path }) => {
    if (path === '/links') return { json: links };
    version += 1;
    return { json: [{ id: 'd1', name: 'Salaries', version }] };
  });
  const changes = links.map(({ id }, at) => {
    if (at === 2) return { id, expires_at: '2019-01-01' };
    return at === 3 ? { id, expires_at: null } : { id, name: 'x'.repeat(90) };
  });
  const { data } = await service.call('update_links', { changes });
  expect(firstRows(data['preview'])).toMatch(/possibly opening 1, ending 1: "L3" \(document "Salaries"; .*→ none/);
  const { data: done } = await service.call('update_links', { changes, confirm_token: data['confirm_token'] });
  expect(done).toMatchObject({ outcome: 'changed' });
});

test('undo names everything it cannot restore', async () => {
  const [link = {}, other = {}] = await list('list_links');
  const changes = [
    { id: link['id'], password: 'x', max_visitors: 7 },
    { id: other['id'], password: 'x' },
  ];
  const { done } = await approve('update_links', { changes });
  expect(done['undo']).toEqual([{ id: link['id'], max_visitors: null }]);
  expect(done['note']).toContain(`password of ${link['id']}`);
});

test('undo restores a link whose change has an unknown outcome', async () => {
  const ids = (await list('list_links')).slice(0, 3).map(({ id }) => id);
  sandbox.faults.add({ operation: 'links.update', nth: 1, when: 'after', cut: 'reset' });
  sandbox.faults.add({ operation: 'links.update', nth: 1, status: 422 });
  const { done } = await approve('update_links', { changes: ids.map((id) => ({ id, max_visitors: 7 })) });
  expect(done).toMatchObject({
    failed: [
      { id: ids[0], error: 'unknown_outcome' },
      { id: ids[1], error: 'invalid_input' },
    ],
    undo: [{ id: ids[0] }, { id: ids[2] }],
  });
});

test('a question names the permissions and the people, whatever names were chosen', async () => {
  const [[document = {}], [room = {}]] = [await list('list_documents'), await list('list_rooms')];
  const { id } = await call('create_link', { room_id: room['id'], name: 'Pricing', email_required: true });
  await approve('create_link', { room_id: room['id'], name: 'Old link' });
  const emails = ['b\u043eb@acme.example', 'Eve <eve@\u0430cme.example>'];
  const questions: readonly (readonly [string, Json, RegExp])[] = [
    ['update_link', { id, fields: { email_required: false } }, /link "Pricing" \(room ".+"\)/],
    ['update_links', { changes: [{ id, email_required: false }] }, /"Pricing" \(room ".+"; email_required/],
    ['update_links', { changes: [{ id, expires_at: '2020-01-01' }] }, /ending 1: "Pricing" \(room ".+"; expires_at/],
    ['add_room_file', { id: room['id'], fields: { document_id: document['id'] } }, /anyone with link "Old link"\./],
    ['add_room_group', { id: room['id'], name: 'G', emails }, /"b\\u043eb@acme.example" and "eve@\\u0430cme/],
    [
      'create_personal_links',
      { document_id: document['id'], recipients: ['a@x.example'], fields: { notify: true } },
      /notify: true\. Each person gets a separate link, or keeps .* as it is\. (?!Nobody)/,
    ],
  ];
  for (const [tool, args, expected] of questions)
    expect((await host.call(tool, args)).question, tool).toMatch(expected);
});

test('a send question counts people whose shortened addresses look alike, and says first that it is not ready', async () => {
  const end = '@subsidiary.of.a-company-with-a-very-long-name.example';
  const recipients = [1, 2, 3, 4, 5].map((at) => `a.very.long.person.${at}.of.the.whole.department${end}`);
  const { id } = await call('create_agreement', { name: 'N'.repeat(100), recipients });
  const { preview } = await call('send_agreement', { id, fields: { message: 'M'.repeat(300) } });
  expect(firstRows(preview)).toMatch(/^Not ready.*(?:4 more|5) people/);
});

test('a review of open access prepares a plan, which one approval runs and undo reverts', async () => {
  const review = await call('review_exposure', { until: '2099-12-31' });
  expect(review['plan']).toContainEqual(expect.objectContaining({ expires_at: '2099-12-31T23:59:59Z' }));
  for (const wrong of [{ until: '2020-01-01' }, { until: '2099-12-31', days: 3 }, { days: 0 }])
    expect(await codeOf('review_exposure', wrong), JSON.stringify(wrong)).toBe('invalid_arguments');
  const open = (review['items'] as Json[]).filter(({ problems }) => JSON.stringify(problems).includes('anybody'));
  expect(open.length).toBeGreaterThan(0);
  const plan = (review['plan'] as Json[]).filter(({ email_required }) => email_required === true);
  const { asked, done } = await approve('update_links', { changes: plan });
  for (const { id } of plan) expect(asked['preview']).toContain(String(id));
  expect(done).toMatchObject({
    done: true,
    items: plan.map(({ id }) => ({ id, email_required: true, expires_at: expect.stringContaining('2099') })),
    undo: plan.map(({ id }) => ({ id, email_required: false, expires_at: null })),
  });
  expect(JSON.stringify((await call('review_exposure'))['items'])).not.toContain('anybody');
  const { asked: back, done: undone } = await approve('update_links', { changes: done['undo'] });
  expect(back['preview']).toMatch(/removing\s+the\s+email\s+gate/);
  expect(undone).toMatchObject({ done: true });
  expect(JSON.stringify((await call('review_exposure'))['items'])).toContain('anybody');
});

test.each<[Json, RegExp]>([
  [{ recipients: ['a@x.example', 'a@x.example'] }, /recipient twice; it has no document/],
  [{ fields: { template_id: 'template' } }, /no recipients; the role "signer" of its template has no person/],
  [{ recipients: [{ email: 'a@x.example', role: 'cc' }], fields: { document_id: 'document' } }, /nobody has to sign/],
])('the question about sending %j names what is missing', async (fields, problem) => {
  const [[document], [template]] = await Promise.all([list('list_documents'), list('list_templates')]);
  const text = JSON.stringify(fields)
    .replace('"document"', `"${document?.['id']}"`)
    .replace('"template"', `"${template?.['id']}"`);
  const { id } = await call('create_agreement', { name: 'A', ...(JSON.parse(text) as Json) });
  const { preview } = await call('send_agreement', { id });
  expect(String(preview).replaceAll('\n', ' ')).toMatch(problem);
  expect(preview).toMatch(/Not\s+ready/);
});

test.each(['legacy', 'enterprise', 'minimal'] as const)('a review finds the same problems on "%s"', async (profile) => {
  const review = async () => {
    const { items } = await call('review_exposure');
    return (items as Json[]).flatMap(({ link, problems }) => (link === undefined ? [] : [[link, problems]])).sort();
  };
  const expected = await review();
  expect(expected.length).toBeGreaterThan(3);
  sandbox.use(profile);
  expect(await review()).toEqual(expected);
  // The old value is found whatever the service calls its field, so that it can be restored.
  const id = (await list('list_links'))[0]?.['id'];
  const { done } = await approve('update_links', { changes: [{ id, max_visitors: 7 }] });
  expect(done).toMatchObject({ undo: profile === 'minimal' ? [] : [{ id, max_visitors: null }] });
});

test('a step of a plan whose link has changed since the approval does not run', async () => {
  const links = [0, 1, 2].map((at) => ({ id: `l${at}`, nda: true, expires_at: '2029-01-01T00:00:00Z' }));
  let reads = 0;
  const service = await openHostOnService(({ method, path }) => {
    if (method === 'PATCH') return { json: { id: path.slice(7), nda: false } };
    // For the question, after the approval, and before the steps; by then the last link has been ended.
    reads += 1;
    return {
      json: reads < 3 ? links : links.map((link, at) => (at < 2 ? link : { ...link, expires_at: '2020-01-01' })),
    };
  });
  const changes = links.map(({ id }) => ({ id, nda: false, expires_at: '2030-01-01T00:00:00Z' }));
  const { data } = await service.call('update_links', { changes });
  const { data: done } = await service.call('update_links', { changes, confirm_token: data['confirm_token'] });
  expect(done).toMatchObject({ done: false, failed: [{ id: 'l2', error: 'changed' }] });
  const patched = service.requests.filter(({ method }) => method === 'PATCH');
  expect(patched.map(({ path }) => path)).toEqual(['/links/l0', '/links/l1']);
});

test('a plan that the user stops does not continue without another approval, not even in a parallel call', async () => {
  const stop = new AbortController();
  const stopped = Promise.withResolvers<void>();
  const links = ['l0', 'l1', 'l2'].map((id) => ({ id, nda: true }));
  const changes = links.map(({ id }) => ({ id, nda: false }));
  const service = await openHostOnService(async ({ method, path }) => {
    if (path === '/links/l0') await stopped.promise;
    if (path === '/links/l1') {
      stop.abort();
      await expect.poll(async () => (await service.call('update_links', { changes })).data).toHaveProperty('preview');
      stopped.resolve();
    }
    return { json: method === 'PATCH' ? { nda: false } : links };
  });
  const { data } = await service.call('update_links', { changes });
  const confirmed = { changes, confirm_token: data['confirm_token'] };
  const first = service.call('update_links', confirmed, { signal: stop.signal }).catch(() => 'stopped');
  await expect.poll(() => service.requests.at(-1)?.path).toBe('/links/l0');
  expect((await service.call('update_links', { changes })).data).toMatchObject({ items: [{ id: 'l1' }], left: 1 });
  expect(await first).toBe('stopped');
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
});
