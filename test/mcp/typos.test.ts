/** A gate does not vanish by a slip of a key in `fields`; a name that the service really has goes under `extra`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHost } from '../support/mcp-host.ts';
import { type Loopback, openLoopback } from '../support/mcp-loopback.ts';

let service: Loopback;
beforeAll(async () => {
  service = await openLoopback(() => ({ json: { id: 'l', url: 'https://docs.test/l' } }));
});
afterAll(() => service.close());

test('a near name is refused before anything is sent, under extra it passes, and a field called extra is sent as given', async () => {
  const env = { DOCSHARE_API_KEY: 'key', DOCSHARE_BASE_URL: service.url };
  const host = await openHost({ env, args: ['--confirm', 'off'] });
  const { error } = await host.call('update_link', { id: 'l', fields: { email_requred: true } });
  expect(error).toMatchObject({
    code: 'invalid_arguments',
    message: expect.stringContaining('unknown field email_requred; did you mean email_required?'),
  });
  expect(service.requests).toEqual([]);
  await host.call('update_link', { id: 'l', fields: { extra: { email_requred: true } } });
  await host.call('update_link', { id: 'l', fields: { extra: 'x', password: 'p' } });
  expect(service.requests.map(({ body }) => JSON.parse(body))).toEqual([
    { email_requred: true },
    { extra: 'x', password: 'p' },
  ]);
  const twice = { document_id: 'd', email_required: true, fields: { extra: { email_required: false } } };
  expect((await host.call('create_link', twice)).error).toMatchObject({ code: 'invalid_arguments' });
  await host.close();
});
