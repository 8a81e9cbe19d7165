/** 100 calls in a fixed order over API, storage, pages and control routes, with all responses. */
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Sandbox } from '../../sandbox/index.ts';
import { operations } from '../../src/index.ts';

type Json = Record<string, string>;

export async function runSession(sandbox: Sandbox): Promise<string[]> {
  const key = sandbox.key();
  const responses: string[] = [];

  async function call(method: string, url: string, body?: object | string, headers: Json = {}) {
    const isApi = url.startsWith('/');
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    // One connection per call: the pool of `fetch` may keep one to a port that another run uses by then.
    const outgoing = request(isApi ? sandbox.url + url : url, {
      method,
      agent: false,
      headers: {
        ...(isApi && { authorization: `Bearer ${key}` }),
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    });
    outgoing.end(text);
    const [response] = await once(outgoing, 'response');
    const bytes = await buffer(response);
    responses.push(JSON.stringify([method, url, response.statusCode, response.rawHeaders, bytes.toString('base64')]));
    if (responses.length % 60 === 0) await sandbox.clock.advance(60_000);
    return /json/.test(response.headers['content-type'] ?? '') ? JSON.parse(bytes.toString()) : response;
  }

  const control = (path: string, body?: object) =>
    call(body ? 'POST' : 'GET', `${sandbox.origin}/_sandbox${path}`, body);
  const form = (url: string, fields: Json) =>
    call('POST', url, new URLSearchParams(fields).toString(), { 'content-type': 'application/x-www-form-urlencoded' });

  for (let round = 0; round < 3; round++) {
    const started = await call('POST', '/documents/uploads', { filename: 'a.pdf' });
    await call('PUT', started.uploadUrl, `%PDF ${round}`, started.headers);
    const document = await call('POST', '/documents/uploads/finalize', started);
    const inline = await call('POST', '/documents', { name: `Inline ${round}`, content: 'aGVsbG8=' });
    const { download_url } = await call('GET', `/documents/${inline.id}`);
    await call('GET', download_url);
    const webhook = await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] });
    const link = await call('POST', '/links', { document_id: document.id, email_required: true });
    await call('GET', link.url);
    const opened = await form(link.url, { email: `v${round}@example.com` });
    await call('GET', new URL(opened.headers.location ?? '', sandbox.origin).href);
    await call('GET', `/analytics/links/${link.id}`);
    const agreement = await call('POST', '/agreements', { document_id: document.id, email: 'ada@example.com' });
    const { recipients } = await call('POST', `/agreements/${agreement.id}/send`);
    await call('GET', recipients[0].signing_url);
    await form(recipients[0].signing_url, { name: 'Ada', consent: 'on' });
    await call('GET', (await call('GET', `/agreements/${agreement.id}/document`)).url);
    const proposal = await call('POST', '/proposals', { name: 'P', email: 'ada@example.com' });
    await call('POST', `/proposals/${proposal.id}/send`);
    await form(proposal.url, {});
    const room = await call('POST', '/rooms', { name: `Room ${round}` });
    await call('POST', `/rooms/${room.id}/groups`, { name: 'G', emails: ['ada@example.com'] });
    await call('DELETE', `/webhooks/${webhook.id}`);
    await call('POST', '/contacts', { email: `c${round}@example.com` });
    await call('POST', '/links', { document_id: 'nothing' });
    await control('/keys', { scopes: ['links:read'] });
    await control('/clock/advance', { ms: 1000 });
    await sandbox.deliveries.settled();
    await control('/records');
    await control('/log');
  }
  for (const { operation } of operations) {
    const [method = '', path = ''] = operation.route.split(' ');
    if (method === 'GET' && !path.includes('{')) await call('GET', path);
  }
  while (responses.length < 200) await call('GET', `/links?limit=${(responses.length % 7) + 1}`);
  return responses;
}
