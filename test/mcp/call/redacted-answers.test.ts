/** Secrets in responses of the service are redacted. */
import { expect, test } from 'vitest';
import { openHost } from '../../support/mcp-host.ts';
import { openLoopback } from '../../support/mcp-loopback.ts';

const key = 'sk_live_a/b+c_0123456789';
const signed = 'https://files.example/a?X-Amz-Signature=abc';
const link = {
  id: 'l1',
  url: 'https://share.example/l1?token=part-of-the-address&sig=1',
  preview: signed,
  document: { id: 'd1', url: signed },
  pin: '4711',
  cookie: 'session=1',
  note: `asked by ${key} (${encodeURIComponent(key)})`,
};
const SECRETS = [key, encodeURIComponent(key), '4711', 'session=1'];

test('secrets are removed from results and from previews, but a link keeps its own URL', async () => {
  const service = await openLoopback(({ method }) => ({ json: method === 'GET' ? { data: [link] } : link }));
  const host = await openHost({ env: { DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: service.url } });
  for (const [name, args] of [
    ['list_links', { detail: 'full' }],
    ['list_links', {}],
    ['update_link', { id: 'l1', fields: { note: 'x' } }],
  ] as const) {
    const { text } = await host.call(name, args);
    expect(text, name).toContain(link.url);
    for (const secret of SECRETS) expect(text, name).not.toContain(secret);
  }
  const { text: listed } = await host.call('list_links', { detail: 'full' });
  const { data, text } = await host.call('delete_link', { id: 'l1' });
  await host.close();
  await service.close();
  expect(data).toMatchObject({ done: false, about: { id: 'l1', note: expect.stringContaining('asked by') } });
  for (const secret of [...SECRETS, 'X-Amz', 'part-of-the-address']) expect(text).not.toContain(secret);
  expect(listed).not.toContain('X-Amz');
});
