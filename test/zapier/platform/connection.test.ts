import { expect, test, vi } from 'vitest';
import app from '../../../zapier/index.ts';
import { createStub } from '../../support/create-stub.ts';
import { type Item, outcomeOf, type ZapAnswer, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const KEY = 'sk_live_1234567890';
const BASE = 'https://docs.test/api/v1';

type Middleware = (request: object, z: object, bundle: object) => Promise<{ headers?: Item }>;
const [addKey] = createStub<{ beforeRequest: [Middleware] }>(app).beforeRequest;
/** The authorization that the app adds to a request that Zapier sends itself. */
async function authorize(url: string, authData: Item = { apiKey: KEY, baseUrl: BASE }, more: object = {}) {
  const { headers } = await addKey({ url, method: 'GET', ...more }, {}, { authData });
  return headers?.['authorization'];
}

test.each([
  `${BASE}/documents`,
  BASE,
  `${BASE}?a=b`,
  'https://DOCS.test/api/v1/links/1',
  'https://docs.test/x/../api/v1/links',
])('%s gets the key', async (url) => {
  expect(await authorize(url)).toBe(`Bearer ${KEY}`);
});

test.each([
  // The same path on another host.
  'https://evil.test/api/v1/documents',
  'https://docs.test.evil.test/api/v1/documents',
  'https://docs.test@evil.test/api/v1/documents',
  'https://evil.test\\@docs.test/api/v1/documents',
  'http://docs.test/api/v1/documents',
  // The same origin outside the API.
  'https://docs.test/storage/1?sig=2',
  'https://docs.test/api/v10/documents',
  'https://docs.test/api/v1/../v2/documents',
  'not an address',
  '',
])('%s gets no key', async (url) => {
  expect(await authorize(url)).toBeUndefined();
});

test.each<[string, Item, object, string | undefined]>([
  ['with its own authorization', {}, { headers: { authorization: 'mine' } }, 'mine'],
  ['with its own authorization in capitals', {}, { headers: { Authorization: 'mine' } }, undefined],
  ['of the client, which has the key', {}, { middlewareData: { hasApiKey: true } }, undefined],
  ['without a key', { apiKey: undefined }, {}, undefined],
  ['without a base URL', { baseUrl: undefined }, {}, undefined],
  ['of a base URL with slashes', { baseUrl: `${BASE}//` }, {}, `Bearer ${KEY}`],
  ['of a base URL without a scheme', { baseUrl: ' "docs.test/api/v1" ' }, {}, `Bearer ${KEY}`],
  ['of a base URL with http', { baseUrl: 'http://docs.test/api/v1' }, {}, undefined],
])('a request %s gets the key only if it should', async (_, authData, more, authorization) => {
  vi.stubEnv('DOCSHARE_BASE_URL', '');
  const connection = { apiKey: KEY, baseUrl: BASE, ...authData };
  expect(await authorize(`${BASE}/documents`, connection, more)).toBe(authorization);
});

test.each(['sk_1', '  sk_1 \n', '"sk_1"', '“sk_1”', 'Bearer sk_1', 'authorization: bearer  sk_1', '"Bearer \'sk_1\'"'])(
  'a key copied as %j is sk_1',
  async (apiKey) => {
    expect(await authorize(BASE, { apiKey, baseUrl: BASE })).toBe('Bearer sk_1');
  },
);

test('the app may bring its own base URL; without any, the connection test asks for it', async () => {
  vi.stubEnv('DOCSHARE_BASE_URL', BASE);
  for (const baseUrl of [undefined, '""'])
    expect(await authorize(BASE, { apiKey: KEY, baseUrl })).toBe(`Bearer ${KEY}`);
  vi.stubEnv('DOCSHARE_BASE_URL', '');
  const tested = zapStep(() => undefined).run(app.authentication?.test, { authData: { apiKey: KEY } });
  await expect(tested).rejects.toThrow(texts.enterBaseUrlYour);
});

const BARE: ZapAnswer = { status: 403, json: { message: 'Forbidden' } };
const ADDRESS: ZapAnswer = { status: 403, json: { message: 'IP address not allowed' } };
const SCOPE: ZapAnswer = { status: 403, json: { message: 'Missing scope' } };
const DEAD: ZapAnswer = { status: 401, json: { message: 'Unknown key' } };
const REVOKED: ZapAnswer = { status: 403, json: { error: { code: 'invalid_api_key', message: 'Forbidden' } } };
const BUSY: ZapAnswer = { status: 429, json: {}, headers: { 'retry-after': '30' } };
const DOWN: ZapAnswer = { status: 500, json: {} };
const NONE: ZapAnswer = { json: { data: [] } };

/** Five lists are requested; a second request of `/documents` has no key. */
function connect(answers: Readonly<Record<string, ZapAnswer>>, keyless?: ZapAnswer) {
  const step = zapStep(({ path }) =>
    path === '/documents' && step.count('GET /documents') > 1 ? keyless : (answers[path] ?? answers['*']),
  );
  return { step, tested: outcomeOf(step.run(app.authentication?.test)) };
}

test.each<[string, Readonly<Record<string, ZapAnswer>>, ZapAnswer, string[] | string]>([
  ['that can read one list is accepted', { '*': DOWN, '/rooms': NONE }, undefined, ['rooms']],
  ['that gets an error about a missing scope is accepted', { '*': BARE, '/links': SCOPE }, BARE, []],
  ['with another rejection than a request without a key is accepted', { '*': BARE }, DEAD, []],
  ['with the rejection of one without a key is rejected', { '*': BARE }, BARE, texts.docshareRejectedEveryRequest],
  ['that is rejected for another reason shows it', { '*': ADDRESS }, ADDRESS, '"IP address not allowed"'],
  ['that is unknown to one list is rejected', { '*': BARE, '/links': DEAD }, undefined, texts.doesKnowApiKey],
  ['that is unknown is rejected', { '*': BUSY, '/rooms': DOWN, '/contacts': DEAD }, undefined, texts.doesKnowApiKey],
  ['that is revoked with a 403 is rejected', { '*': REVOKED }, REVOKED, texts.doesKnowApiKey],
  ['of a service that asks for a pause is rejected', { '*': DOWN, '/rooms': BUSY }, undefined, 'again in 30 seconds'],
  ['of a service that fails is rejected', { '*': BARE, '/rooms': DOWN }, undefined, "contact Docshare's support"],
])('a key %s', async (_, answers, keyless, result) => {
  expect(await connect(answers, keyless).tested).toEqual(
    typeof result === 'string' ? expect.stringContaining(result) : { host: 'api.test', readable: result },
  );
});

test('no request is repeated, because the user waits', async () => {
  const { step, tested } = connect({ '*': DOWN });
  expect(await tested).toContain("contact Docshare's support");
  expect(step.calls).toHaveLength(5);
});
