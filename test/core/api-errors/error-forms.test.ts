/** Fields of an error for every common format of an error response (§7 shows none). */
import { expect, test } from 'vitest';
import { ApiError, ServerError, ValidationError } from '../../../src/index.ts';
import { createReplyingClient } from '../../support/replying-client.ts';
import { texts } from '../texts.ts';

async function refused(body: unknown, more: { status?: number; headers?: Record<string, string> } = {}) {
  const { client } = createReplyingClient([{ status: 422, ...more, body }], { apiKey: 'sk_live_CANARY' });
  const error = await client.contacts.create({ email: 'x', password: 'hunter2' }).catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`no ApiError but ${error}`);
  return error;
}

const invalid = { field: 'email', message: 'is invalid' };

test.each<[string, unknown, object[], string?]>([
  [
    'Rails',
    { errors: { email: ['is invalid'], name: ["can't be blank", 'is too short'] } },
    [invalid, { field: 'name', message: "can't be blank" }, { field: 'name', message: 'is too short' }],
  ],
  ['Laravel', { message: 'The given data was invalid.', errors: { email: ['is invalid'] } }, [invalid]],
  [
    'Hapi',
    { message: '"email" is invalid', validation: { source: 'payload', keys: ['email'] } },
    [{ message: '"email" is invalid' }],
  ],
  ['fields', { errors: { address: { city: ['is missing'] } } }, [{ field: 'address.city', message: 'is missing' }]],
  ['one text per field', { error: { code: 'bad', message: 'No', fields: { email: 'is invalid' } } }, [invalid], 'bad'],
  [
    'a list of objects',
    { error: { code: 'validation_failed', message: 'No', details: [{ ...invalid, code: 'format' }] } },
    [{ ...invalid, code: 'format' }],
    'validation_failed',
  ],
  [
    'JSON:API',
    {
      errors: [
        {
          status: '422',
          code: 'bad_format',
          title: 'Invalid',
          detail: 'is invalid',
          source: { pointer: '/data/attributes/email' },
        },
      ],
    },
    [{ field: 'email', message: 'is invalid', code: 'bad_format' }],
    'bad_format',
  ],
  ['JSON:API of a parameter', { errors: [{ detail: 'is invalid', source: { parameter: 'email' } }] }, [invalid]],
  [
    'FastAPI',
    { detail: [{ loc: ['body', 'email'], msg: 'is invalid', type: 'value_error' }] },
    [{ ...invalid, code: 'value_error' }],
    'value_error',
  ],
  [
    'problem+json',
    {
      type: 'urn:x:invalid',
      title: 'Invalid',
      status: 422,
      detail: 'Two faults',
      'invalid-params': [{ name: 'email', reason: 'is invalid' }],
    },
    [invalid],
    'urn:x:invalid',
  ],
  [
    'Zod',
    {
      success: false,
      error: {
        name: 'ZodError',
        issues: [{ code: 'too_small', path: ['signers', 0, 'email'], message: 'is invalid' }],
      },
    },
    [{ field: 'signers.0.email', message: 'is invalid', code: 'too_small' }],
    'too_small',
  ],
  [
    'Zod, flattened',
    { error: { formErrors: ['at least one'], fieldErrors: { email: ['is invalid'] } } },
    [invalid, { message: 'at least one' }],
  ],
  ['Zod, flattened in `errors`', { errors: { formErrors: [], fieldErrors: { email: ['is invalid'] } } }, [invalid]],
  ['a field named like a list', { errors: { fields: { 0: ['is invalid'] } } }, [{ ...invalid, field: 'fields.0' }]],
  ['Zod, as a tree', { errors: { _errors: [], email: { _errors: ['is invalid'] } } }, [invalid]],
  [
    'GraphQL',
    { data: null, errors: [{ message: 'is invalid', path: ['email'], extensions: { code: 'BAD_USER_INPUT' } }] },
    [{ ...invalid, code: 'BAD_USER_INPUT' }],
    'BAD_USER_INPUT',
  ],
  ['Django', { email: ['is invalid'], non_field_errors: ['give one'] }, [invalid, { message: 'give one' }]],
  [
    'class-validator',
    [{ property: 'email', constraints: { isEmail: 'is invalid' } }],
    [{ ...invalid, code: 'isEmail' }],
    'isEmail',
  ],
  [
    'Ajv',
    [{ instancePath: '', keyword: 'required', params: { missingProperty: 'email' }, message: 'is invalid' }],
    [{ ...invalid, code: 'required' }],
    'required',
  ],
  [
    'Stripe',
    { error: { type: 'card_error', code: 'incorrect', message: 'is invalid', param: 'email' } },
    [{ ...invalid, code: 'incorrect' }],
    'incorrect',
  ],
  [
    'OAuth',
    { error: 'invalid_grant', error_description: 'The key is old' },
    [{ message: 'The key is old', code: 'invalid_grant' }],
    'invalid_grant',
  ],
  [
    texts.aListOfTexts,
    { errors: ['email is invalid', 'name is missing'] },
    [{ message: 'email is invalid' }, { message: 'name is missing' }],
  ],
  ['one message', { message: 'No' }, [{ message: 'No' }]],
  ['a JSON string', JSON.stringify('No'), [{ message: 'No' }]],
  ['plain text', 'email is invalid\n', [{ message: 'email is invalid' }]],
  [
    'a web page',
    '<html><style>p{}</style><p>Too <b>large</b></p><script>x("<p>")</script></html>',
    [{ message: 'Too large' }],
  ],
  ['silence', '', []],
  ['an object without a message', {}, []],
])('an error response as %s gives the details and the code', async (_, body, details, code) => {
  const error = await refused(body);
  expect(error).toBeInstanceOf(ValidationError);
  expect(error.details).toEqual(details);
  expect(error.code).toBe(code);
  for (const { message } of error.details) expect(error.message).toContain(message);
  expect(error.message).not.toMatch(/\(\)|"\s?\(/);
});

test.each([
  [401, 'This key lacks the scope "links:read"', 'PermissionError'],
  [401, { error_summary: 'missing_scope/..', error: { '.tag': 'missing_scope' } }, 'PermissionError'],
  [401, { code: 'OAUTH_SCOPE_MISMATCH', message: 'invalid oauth scope' }, 'PermissionError'],
  [401, 'Scope links:read is required', 'PermissionError'],
  [401, 'This key is not authorized for this scope', 'PermissionError'],
  [403, 'Invalid API key scope', 'PermissionError'],
  [401, 'Not authorized to see this', 'AuthenticationError'],
  [401, 'Invalid API key or missing scope', 'AuthenticationError'],
  [401, 'error="invalid_token", scope="links:read"', 'AuthenticationError'],
  [403, 'This API key is invalid or was revoked', 'AuthenticationError'],
  [403, 'Your plan does not include this', 'PermissionError'],
])('a %s with the words %j is a %s', async (status, body, name) => {
  expect(await refused(body, { status })).toMatchObject({ name, status });
});

test('a status of no known kind is a plain ApiError', async () => {
  const error = await refused({ message: 'Tea only' }, { status: 418 });
  expect([error.constructor, error.message]).toEqual([ApiError, expect.stringContaining('"Tea only"')]);
});

test('the message says what to do and quotes the service; `advice` leaves the quote out', async () => {
  const error = await refused({ message: 'Two faults', errors: { email: ['is invalid'] } });
  expect(error.message).toBe(texts.contactsCreateServiceRejected);
  expect(error.advice).toBe(error.message.split(' The service said:')[0]);
  expect(Object.keys(error)).not.toContain('advice');
});

test('each part of an error is bounded, whatever the service sends', async () => {
  const errors = Array.from({ length: 100 }, (_, at) => ({ field: `f${at}`.repeat(50), message: 'm'.repeat(400) }));
  const error = await refused({ code: 'c'.repeat(5000), errors }, { headers: { 'x-long': 'h'.repeat(9000) } });
  expect(error.details).toHaveLength(20);
  expect(Math.max(...error.details.map(({ message }) => message.length))).toBeLessThan(310);
  expect(error.code).toBeUndefined();
  expect(error.message.length).toBeLessThan(600);
  expect(error.headers['x-long']?.length).toBeLessThan(310);
  let deep: unknown = 'x';
  for (let at = 0; at < 1000; at += 1) deep = { errors: [deep] };
  expect((await refused(deep)).details).toEqual([]);
  const odd = await refused(
    '{"__proto__":{"message":"p"},"constructor":"c","toString":["t"],"errors":{"__proto__":["x"]}}',
  );
  expect(odd.details).toEqual([{ field: '__proto__', message: 'x' }]);
});

test('no part of an error contains a secret, even if the service quotes one', async () => {
  const error = await refused(
    {
      code: 'sk_live_CANARY',
      errors: { 'sk_live_CANARY.password': ['"hunter2" is too short', 'see https://s.test/a?sig=CANARY2'] },
    },
    { headers: { 'set-cookie': 'session=CANARY3', 'x-echo': 'Bearer sk_live_CANARY' } },
  );
  expect(error.details).toHaveLength(2);
  expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/CANARY|hunter2/);
  expect(error.headers['set-cookie']).toBe('[redacted]');
});

test('a secret that looks like an HTML tag is redacted as a whole', async () => {
  const { client } = createReplyingClient([{ status: 400, body: '<p>sk_CANARY<42>end</p>' }], {
    apiKey: 'sk_CANARY<42>end',
  });
  const error = await client.links.delete({ id: 'l' }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ body: '[redacted]' });
});

test('control characters and bidirectional overrides are removed from an error', async () => {
  const said = '\u001b[2J\u0007\u202eevil\u2066\u0000\u009b31m\r\n\u2028next';
  const error = await refused({ message: said, errors: { [said]: [said] }, code: said }, { headers: { server: said } });
  const printed = [error.message, error.body, JSON.stringify(error.details), JSON.stringify(error.headers)].join();
  expect(printed).not.toMatch(/[\p{Cc}\u2028\u202e\u2066]|\\u00/u);
  expect(error.details[0]?.message).toBe('[2J evil 31m next');
  expect(error.code).toBeUndefined();
});

test('an error has the headers of its response', async () => {
  const error = await refused('', { status: 503, headers: { 'retry-after': '7', server: 'edge' } });
  expect(error).toBeInstanceOf(ServerError);
  expect(error.headers).toEqual({ 'retry-after': '7', server: 'edge' });
});
