/** Tools for whole jobs, on the sandbox's company. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts';
import { type Host, type Json, openHost } from '../../support/mcp-host.ts';

let sandbox: Sandbox;
let host: Host;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: 1 });
  host = await openHost({ env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url } });
});
afterAll(() => host.close().then(sandbox.close));

const call = async (tool: string, args: Json = {}) => (await host.call(tool, args)).data;
const list = async (tool: string) => (await call(tool, { limit: 100 }))['items'] as Json[];

/** Makes a call, and approves it if it asks. */
async function approve(tool: string, args: Json) {
  const asked = await call(tool, args);
  const { confirm_token } = asked;
  return { asked, done: confirm_token === undefined ? asked : await call(tool, { ...args, confirm_token }) };
}

test('get answers everything about an object: its state, what it refers to, and where it is used', async () => {
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
  expect((await host.call('get', { id: 'nope' })).error).toMatchObject({ code: 'not_found' });
  expect((await host.call('get', { id: 'nope', group: 'lnks' })).error['message']).toContain('did you mean "links"');
});

test('activity tells what happened since the last complete call, newest first, and says what it could not read', async () => {
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
  const all = await call('activity', { since: '2020-01-01', limit: 2 });
  expect(all).toMatchObject({ items: [{}, {}], remaining: expect.any(Number) });
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
  const limited = await openHost({ env, args: ['--groups', 'agreements'] });
  const { data } = await limited.call('activity', { since: '2020-01-01' }).finally(() => limited.close());
  expect(data['not_read']).toEqual(
    expect.arrayContaining([expect.stringContaining('visits'), expect.stringContaining('proposals')]),
  );
});
