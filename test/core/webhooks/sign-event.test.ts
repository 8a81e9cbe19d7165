/** A signed delivery in each scheme, with its exact headers. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signEvent } from '../../../src/index.ts';

const KEY = Buffer.from('twenty-four bytes of key');
const SECRET = `whsec_${KEY.toString('base64')}`;
const TIME = new Date(1_795_255_200_900);
const T = '1795255200';
const BODY = '{"id":"e"}';
const hmac = (content: string, key: string | Buffer = SECRET) => createHmac('sha256', key).update(content);
const type = { 'content-type': 'application/json' };
const timed = `t=${T},v1=${hmac(`${T}.${BODY}`).digest('hex')}`;
const standard = `v1,${hmac(`msg.${T}.${BODY}`, KEY).digest('base64')}`;

test.each([
  [undefined, { 'webhook-id': 'msg', 'webhook-timestamp': T, 'webhook-signature': standard }],
  ['standard', { 'webhook-id': 'msg', 'webhook-timestamp': T, 'webhook-signature': standard }],
  ['svix', { 'svix-id': 'msg', 'svix-timestamp': T, 'svix-signature': standard }],
  ['timed', { 'x-webhook-signature': timed }],
  ['plain', { 'x-signature': `sha256=${hmac(BODY).digest('hex')}` }],
  ['hex', { 'x-signature': hmac(BODY).digest('hex') }],
  ['base64', { 'x-signature': hmac(BODY).digest('base64') }],
] as const)('the scheme %s has its headers', (scheme, headers) => {
  const options = { secret: SECRET, id: 'msg', time: TIME, ...(scheme ? { scheme } : {}) };
  expect(signEvent({ id: 'e' }, options)).toEqual({ body: BODY, headers: { ...type, ...headers } });
  // A string is sent unchanged.
  expect(signEvent(` ${BODY}`, options).body).toBe(` ${BODY}`);
});

test('`header` renames the signature header, and each delivery has its own ID', () => {
  const { headers } = signEvent({ id: 'e' }, { secret: 's', scheme: 'timed', header: 'x-own', time: TIME });
  expect(Object.keys(headers)).toEqual(['content-type', 'x-own']);
  const ids = ['a', 'b'].map(() => signEvent({}, { secret: SECRET }).headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^msg_[0-9a-f-]{36}$/);
});
