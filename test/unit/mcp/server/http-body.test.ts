/** A body that is not read whole leaves nothing on its connection for the next request. */
import { expect, test } from 'vitest';
import { readJsonBody } from '../../../../mcp/server/json-body.ts';

function post(body: string, headers: Record<string, string> = {}) {
  const content = { 'content-type': 'application/json', ...headers };
  return new Request('http://127.0.0.1/mcp', { method: 'POST', headers: content, body });
}

test.each<[string, Record<string, string>]>([
  ['a body that says how long it is', { 'content-length': '12' }],
  ['one that does not', {}],
])('%s, and is too long, is refused and ends the connection', async (_, headers) => {
  const read = await readJsonBody(post('"0123456789"', headers), 11);
  if (!('errorResponse' in read)) throw new Error('it was read');
  expect([read.errorResponse.status, read.errorResponse.headers.get('connection')]).toEqual([413, 'close']);
});

test('one that is just as long as may be is read', async () => {
  expect(await readJsonBody(post('"0123456789"', { 'content-length': '12' }), 12)).toEqual({ body: '0123456789' });
  expect(await readJsonBody(post('"0123456789"'), 12)).toEqual({ body: '0123456789' });
});
