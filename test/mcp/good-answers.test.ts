import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openHost } from '../support/mcp-host.ts';

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

test('secrets are taken out of good answers, but a link keeps its own address', async () => {
  const service = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.method === 'GET' ? { data: [link] } : link));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api/v1`;
  const env = { DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: base };
  const host = await openHost({ env, args: ['--confirm', 'off'] });
  for (const [name, args] of [
    ['list_links', { detail: 'full' }],
    ['list_links', {}],
    ['update_link', { id: 'l1', fields: { note: 'x' } }],
  ] as const) {
    const { text } = await host.call(name, args);
    expect(text, name).toContain(link.url);
    for (const secret of [key, encodeURIComponent(key), '4711', 'session=1']) expect(text, name).not.toContain(secret);
  }
  const { text } = await host.call('list_links', { detail: 'full' });
  expect(text).not.toContain('X-Amz');
  await host.close();
  service.closeAllConnections();
  service.close();
});
