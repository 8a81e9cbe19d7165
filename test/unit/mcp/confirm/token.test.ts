/** A confirmation token is valid for one channel, once, for ten minutes; what it confirms is tested with a host. */
import { expect, test } from 'vitest';
import { hashCanonicalJson, toCanonicalJson } from '../../../../mcp/canonical-json.ts';
import { formatPreview } from '../../../../mcp/confirm/preview.ts';
import { createConfirmTokens, TOKEN_TTL_MS, type TokenKind } from '../../../../mcp/confirm/token.ts';
import { texts } from '../../../mcp/texts.ts';
import { createMemoryState } from '../../../support/mcp-parts.ts';

const START = Date.UTC(2026, 10, 21, 12);
let now = START;
const state = createMemoryState({ now: () => now, secret: Buffer.alloc(32, 7) });
const tokens = createConfirmTokens(state, { now: () => now });
const binding = { tool: 'delete_link', args: { id: 'l', fields: { a: 1, b: 2 } }, account: 'mine' };

function redeem(token: string, { kind = 'preview', at = START }: { kind?: TokenKind; at?: number } = {}) {
  now = at;
  return tokens.redeem(token, { kind, binding });
}
const mint = () => {
  now = START;
  return tokens.create('preview', binding, 'round');
};

test('the token of a preview is not valid for a form', async () => {
  const token = mint();
  expect([await redeem(token, { kind: 'form' }), await redeem(token)]).toEqual(['other_tool', undefined]);
});

test('a token expires after ten minutes, and a used one stays used for as long', async () => {
  expect(TOKEN_TTL_MS).toBe(600_000);
  expect(await redeem(mint(), { at: START + TOKEN_TTL_MS - 1 })).toBeUndefined();
  expect(await redeem(mint(), { at: START + TOKEN_TTL_MS })).toBe('expired');
  const spent = mint();
  expect(await redeem(spent)).toBeUndefined();
  expect(await redeem(spent, { at: START + TOKEN_TTL_MS - 1 })).toBe('used');
});

test('a token with any changed character is forged', async () => {
  const token = mint();
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect(await redeem(changed), `letter ${at}`).toBe('forged');
  }
  for (const other of ['', '.', 'x', `${token}x`, token.slice(1), token.slice(0, -1), `${token}.`, `.${token}`])
    expect(await redeem(other), other).toBe('forged');
  const own = token.split('.');
  const longer = [...own.slice(0, 1), (Number.parseInt(own[1] ?? '', 36) + 1).toString(36), ...own.slice(2)];
  expect(await redeem(longer.join('.'))).toBe('forged');
  expect(await redeem(token)).toBeUndefined();
});

test('canonical JSON sorts the keys of objects at every depth, but not lists', () => {
  expect(toCanonicalJson({ b: [{ d: 1, c: 2 }, 3], a: { f: null, e: 'x' }, B: true })).toBe(
    '{"B":true,"a":{"e":"x","f":null},"b":[{"c":2,"d":1},3]}',
  );
  expect(hashCanonicalJson({ a: 1, b: 2 })).toBe(hashCanonicalJson({ b: 2, a: 1 }));
  expect(hashCanonicalJson({ a: [1, 2] })).not.toBe(hashCanonicalJson({ a: [2, 1] }));
});

test('a token contains the nonce of its confirmation', () => {
  expect(tokens.read(mint())).toEqual({ confirmationNonce: 'round', ageMs: 0 });
  expect(tokens.read(tokens.create('form', binding, '')).confirmationNonce).toBe('');
});

test('a preview shows every field that is sent, and too many fields are rejected', () => {
  const send = { headline: 'Send it.' };
  expect(formatPreview({ ...send, about: { note: 'x' } }, {})).toBe('Send it.\nFrom the service:\n- note: "x"');
  // A template has a list of this name.
  expect(formatPreview({ ...send, about: { fields: ['x'] } }, {})).toContain('- fields[0]: "x"');
  expect(formatPreview(send, {})).toBe('Send it.');
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, 'y'.repeat(500)]));
  expect(formatPreview(send, { fields }).split('\n')).toHaveLength(2 + 100);
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`field${at}`, 'y']));
  expect(() => formatPreview(send, { fields: many })).toThrow(texts.tooManyUserReview);
});
