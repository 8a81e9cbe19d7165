import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineClient, InputError } from '../../../src/index.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { createReplyingClient } from '../../support/replying-client.ts';
import { texts } from '../texts.ts';

const recorder = () => createReplyingClient([{ body: {} }]);

const id = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .array(fc.constantFrom('.', '..', '/', '\\', '%2e', '%2F', '?', '#', ';', '\n', '\t', ' ', 'a', '\ud800', '\0'))
    .map((parts) => parts.join('')),
);

test('an ID with any characters is exactly one path segment, or is rejected before anything is sent', async () => {
  const { client, requests } = recorder();
  await fc.assert(
    fc.asyncProperty(id, async (value) => {
      requests.length = 0;
      const error = await client.templates.get({ id: value }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      // A proxy that decodes the path would leave the folder.
      const climbs = value.split(/[/\\]/).some((part) => part === '.' || part === '..');
      if (value === '' || climbs || !value.isWellFormed()) {
        expect(error).toBeInstanceOf(InputError);
        expect(requests).toEqual([]);
        return;
      }
      expect(error).toBeUndefined();
      const url = new URL(requests[0]?.url ?? '');
      expect(url.pathname.split('/').slice(0, -1)).toEqual(['', 'api', 'v1', 'templates']);
      expect(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')).toBe(value);
      expect([url.origin, url.search, url.hash]).toEqual(['https://docshare.test', '', '']);
    }),
    { numRuns: 500, seed: 20_261_121 },
  );
});

test('undocumented query parameters are sent, each in its usual form', async () => {
  const { client, requests } = recorder();
  await client.links.delete({
    id: 'l',
    reason: 'a&b=c',
    tag: ['x', 'y'],
    at: new Date(0),
    none: undefined,
    nil: null,
    no: false,
  });
  expect(requests[0]?.url).toBe(
    'https://docshare.test/api/v1/links/l?reason=a%26b%3Dc&tag=x&tag=y&at=1970-01-01T00%3A00%3A00.000Z&no=false',
  );
});

test('undocumented body fields are sent, null too, and the ID stays in the path', async () => {
  const { client, requests } = recorder();
  await client.links.update({ id: 'l', password: null, nested: { a: [1] }, gone: undefined });
  expect([requests[0]?.method, requests[0]?.url, requests[0]?.body]).toEqual([
    'PATCH',
    'https://docshare.test/api/v1/links/l',
    '{"password":null,"nested":{"a":[1]}}',
  ]);
});

test('invalid input rejects, never throws, and sends nothing', async () => {
  const { client, requests } = recorder();
  const wrong: unknown = { document_id: 7, email_required: 'yes' };
  const calls = [
    () => client.links.create(wrong as { document_id: string }),
    () => client.agreements.document({ id: '..' }),
    () => client.documents.pages({ id: '' }),
    () => client.documents.pages({ id: '.' }).collect(),
    () => client.links.create({ document_id: 'd', extra: { size: 1n } }),
    () => client.documents.list({ filter: { a: 1 } }),
    () => client.documents.create({ file: new Blob([]) }, { signal: AbortSignal.abort(new InputError('mine')) }),
  ];
  for (const call of calls) {
    let result: PromiseLike<unknown> | undefined;
    expect(() => {
      result = call();
    }).not.toThrow();
    await expect(Promise.resolve(result)).rejects.toThrow(InputError);
  }
  expect(requests).toEqual([]);
});

test.each([
  ['ftp://docs.example.com', texts.baseUrlMustUrl],
  ['not an address', 'must not contain spaces'],
  ['https://docs.example.com\\@evil.example/api/v1', 'must not contain spaces, line breaks, backslashes'],
  ['http://docs.example.com/api/v1', texts.mustStartWithHttps],
  ['http://evil-127.0.0.1/api/v1', texts.baseUrlMustUrl],
  ['http://localhost.example.com/api/v1', texts.mustStartWithHttps],
  ['https://user:pass@docs.example.com/api/v1', texts.baseUrlMustContain],
  ['https://docs.example.com/api/v1?key=1', 'must not contain a query'],
])('the base URL %s is rejected', (baseUrl, message) => {
  const transport = async () => ({ status: 200, headers: {}, body: Readable.from([]) });
  expect(() => defineClient({ apiKey: 'key', baseUrl, transport })).toThrow(message);
  expect(() => defineClient({ apiKey: 'two words', baseUrl: 'https://x.test', transport })).toThrow(InputError);
  expect(() => defineClient({ apiKey: 'k', baseUrl: 'https://x.test', transport, timeoutMs: 0 })).toThrow(InputError);
});
