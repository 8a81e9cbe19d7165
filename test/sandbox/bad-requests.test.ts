import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { operations } from '../../src/index.ts';
import { askService } from '../support/ask-service.ts';
import { closeAfterAll } from '../support/cleanup.ts';

const sandbox = await closeAfterAll(createSandbox({ seed: 1, clock: 'manual' }));
const key = sandbox.key();

function send(method: string, path: string, { body, type = 'application/json' }: { body?: string; type?: string }) {
  const headers = { authorization: `Bearer ${key}`, ...(type && { 'content-type': type }) };
  return askService(sandbox.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

/** Texts that are not valid JSON, and unusual JSON. */
const BAD_TEXTS: Readonly<Record<string, string>> = {
  nothing: '',
  'half an object': '{"email":',
  null: 'null',
  'a list': '[]',
  '9,000 lists in each other': `{"email":"a@example.com","name":"n","x":${nested(9000)}}`,
  '33 levels': `{"email":"a@example.com","name":"n","x":${nested(33)}}`,
  '50,000 values': `{"name":"n","x":[${'1,'.repeat(50_000)}1]}`,
  'a text of 500,000 characters': JSON.stringify({ email: 'a@example.com', name: 'n'.repeat(500_000) }),
  'a name of 5,000 characters': JSON.stringify({ name: 'n', ['k'.repeat(5000)]: 1 }),
  'a written prototype': '{"name":"n","\\u005f_proto__":{"id":"x"}}',
  'half a character': '{"name":"\\ud800","email":"a@example.com"}',
  'a NUL': '{"name":"a\\u0000b","email":"a@example.com"}',
  'an endless number': '{"name":"n","x":1e999}',
  'fields of the service itself':
    '{"name":"n","email":"a@b.c","created_at":"never","url":5,"status":[],"constructor":{}}',
};
const WRITES = operations.filter(({ operation }) => /^(POST|PUT|PATCH)/.test(operation.route));
const LISTS = operations.filter(({ operation }) => /^GET [^{]+$/.test(operation.route));

async function expectReadable(): Promise<void> {
  await sandbox.clock.advance(60_000);
  for (const { operation } of LISTS)
    expect([operation.route, (await send('GET', operation.route.slice(4), {})).status]).toEqual([operation.route, 200]);
}

test.each(Object.entries(BAD_TEXTS))('%s in any write gets a response, and lists stay readable', async (_, body) => {
  await sandbox.clock.advance(60_000);
  const [room = ''] = sandbox.snapshot().state.rooms.keys();
  for (const { operation } of WRITES) {
    const [method = '', path = ''] = operation.route.split(' ');
    const { status } = await send(method, path.replace('{id}', room), { body });
    expect([operation.route, status]).toEqual([operation.route, expect.toSatisfy((found) => found < 500)]);
  }
  await expectReadable();
});

test.each([
  'text/xml',
  'text/plain',
  '',
  'multipart/form-data',
  'multipart/form-data; boundary=b',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
])('each write rejects a malformed body of the type %j', async (type) => {
  await sandbox.clock.advance(60_000);
  for (const { operation } of WRITES) {
    const [method = '', path = ''] = operation.route.split(' ');
    const { status } = await send(method, path.replace('{id}', 'x'), { body: '{"name":', type });
    expect([operation.route, status]).toEqual([operation.route, expect.toSatisfy((code) => code >= 400 && code < 500)]);
  }
});

const FIELDS =
  'name email document_id room_id expires_at max_visitors password items currency recipients signers tags emails permissions parent_id folder_id roles fields url events storageKey token documentId file content template_id message';

test('no random value in a field, ID or query makes the service fail', { timeout: 120_000 }, async () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(1e30, -1, '\u202e', { email: 5 }, [[]], [{}]));
  const ids = [...sandbox.snapshot().state.rooms.keys(), ...sandbox.snapshot().state.links.keys()];
  const request = fc.record({
    operation: fc.constantFrom(...operations.map(({ operation }) => operation)),
    id: fc.constantFrom(...ids, '%ff', '%', '..%2f..', '__proto__', '%00', 'x'.repeat(5000), ' '),
    query: fc.constantFrom('', '?limit=-1', '?limit=1e9&cursor=%ff', '?page=0', '?cursor=YXQ6OTk5OTk5OTk5OTk5', '?%'),
    body: fc.dictionary(fc.constantFrom(...FIELDS.split(' ')), odd, { maxKeys: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, id, query, body }) => {
      await sandbox.clock.advance(1000);
      const [method = '', path = ''] = operation.route.split(' ');
      const hasBody = method !== 'GET' && method !== 'DELETE';
      const url = `${path.replace('{id}', id)}${query}`;
      const { status } = await send(method, url, hasBody ? { body: JSON.stringify(body) } : {});
      return status < 500;
    }),
    { seed: 13, numRuns: 600 },
  );
  await expectReadable();
});
