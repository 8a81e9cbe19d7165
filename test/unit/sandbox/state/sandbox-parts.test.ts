/** The rules that an emulated service counts, hides and measures by: each on its own file, without a service. */
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseBody, Time } from '../../../../sandbox/handlers/request-body.ts';
import { DEFAULT_PROFILE, type SandboxProfile } from '../../../../sandbox/profile/switches.ts';
import { escapeHtml } from '../../../../sandbox/render/error-response.ts';
import { getLimitHeaders } from '../../../../sandbox/render/rate-limit-headers.ts';
import { createFaults, matchesPath } from '../../../../sandbox/server/faults.ts';
import { createKeyLimiter } from '../../../../sandbox/server/rate-limiter.ts';
import { redactRequest } from '../../../../sandbox/server/redact.ts';
import { sendFile } from '../../../../sandbox/server/send-file.ts';
import { createKeyRing } from '../../../../sandbox/state/key-ring.ts';
import { calculateAnalytics } from '../../../../sandbox/state/measures.ts';
import type { AgreementRecord, RecipientRecord, Version, VisitRecord } from '../../../../sandbox/state/records.ts';
import type { Service } from '../../../../sandbox/state/service.ts';
import { markViewed } from '../../../../sandbox/state/signing.ts';
import { getOpenMs } from '../../../../sandbox/state/visits.ts';
import { createStub } from '../../../support/create-stub.ts';

const profileOf = (settings: Partial<SandboxProfile>): SandboxProfile => ({ ...DEFAULT_PROFILE, ...settings });

describe('a limit', () => {
  const ask = (settings: Partial<SandboxProfile>) => {
    const limiter = createKeyLimiter();
    const admit = (now: number, more: Partial<SandboxProfile> = {}) =>
      limiter.countRequest({ key: 'k', now, profile: profileOf({ ...settings, ...more }) });
    const fill = (times: number, now: number) => {
      for (let at = 0; at < times; at++) admit(now);
    };
    return { admit, fill };
  };
  test('of a bucket is whole again after a minute of silence, however often it was refused', () => {
    const { admit, fill } = ask({ rateLimiter: 'bucket', rateLimitCounts: 'all' });
    fill(1_000, 0);
    expect(admit(0).admitted).toBe(false);
    expect(admit(60_000).admitted).toBe(true);
  });
  test('of a window where refused calls count too is waited for from the last 120', () => {
    const { admit, fill } = ask({ rateLimiter: 'sliding', rateLimitCounts: 'all' });
    fill(120, 0);
    fill(119, 30_000);
    const { admitted, waitMs } = admit(40_000);
    expect([admitted, waitMs]).toEqual([false, 50_000]);
    expect(admit(89_999).admitted).toBe(false);
  });
  test('begins anew with another rule', () => {
    const { admit, fill } = ask({ rateLimiter: 'sliding' });
    fill(120, 0);
    expect(admit(0).admitted).toBe(false);
    expect(admit(0, { rateLimiter: 'fixed' }).admitted).toBe(true);
  });
  test.each([
    ['seconds', { 'retry-after': '2' }],
    ['date', { 'retry-after': 'Thu, 01 Jan 1970 00:00:02 GMT' }],
  ] as const)('says in %s when to come again, to who was refused alone', (rateLimitHeaders, headers) => {
    const hint = (admitted: boolean) =>
      getLimitHeaders({
        rateLimit: { admitted, remaining: 0, waitMs: 1_500 },
        now: 0,
        profile: profileOf({ rateLimitHeaders }),
      });
    expect(hint(false)).toEqual(headers);
    expect(hint(true)).toEqual({});
  });
});

test.each([
  ['/a*a', '/a', false],
  ['/a*a', '/aa', true],
  ['/l/*/v', '/l/x/v', true],
  ['/l/*/v', '/l/v', false],
  ['/l', '/l/x', false],
])('a pattern %s meets %s: %s', (pattern, path, isMet) => {
  expect(matchesPath(pattern, path)).toBe(isMet);
});

test('a fault is met by a method in small letters, and used up by what it was applied to', () => {
  const faults = createFaults(1);
  const request = { method: 'GET', path: '/links', operation: undefined };
  faults.add({ method: 'get', nth: [2, 3, 4], times: 2 });
  expect([1, 2, 3, 4].map(() => faults.pick(request) !== undefined)).toEqual([false, true, true, false]);
});

test.each(['token', 'password', 'secret', 'signing_secret', 'signingSecret', 'x_signature'])(
  'the log does not hold a %s of a body',
  (name) => {
    const redacted = redactRequest({
      headers: new Headers(),
      query: new URLSearchParams(),
      body: { [name]: 'hush', deep: [{ [name]: 'hush' }], note: 'seen' },
    });
    expect(JSON.stringify(redacted)).not.toContain('hush');
    expect(JSON.stringify(redacted)).toContain('seen');
  },
);

test('a body is read under both spellings, the written one first, and its id is nobody’s to set', () => {
  const schema = z.object({ max_visitors: z.number().optional() });
  expect(parseBody(schema, { maxVisitors: 1, id: 'own', note: 'x' })).toEqual({
    known: { max_visitors: 1 },
    custom: { note: 'x' },
  });
  expect(parseBody(schema, { max_visitors: 2, maxVisitors: 1 })).toEqual({
    known: { max_visitors: 2 },
    custom: { maxVisitors: 1 },
  });
});

test.each([
  [1_798_711_200, 1_798_711_200_000],
  [1_798_711_200_000, 1_798_711_200_000],
  ['2026-12-31T10:00:00Z', 1_798_711_200_000],
])('the time %s is read as %i', (written, at) => {
  expect(Time.parse(written)).toBe(at);
});

test('a key is rotated once, and the first of those that were loaded is the first', () => {
  const ring = createKeyRing({ root: Buffer.of(1), now: 0 });
  const other = createKeyRing({ root: Buffer.of(2), now: 0 });
  const { first } = other;
  expect(other.find(other.rotate(first, 0))).toBeDefined();
  expect(() => other.rotate(first, 0)).toThrow('already rotated');
  ring.load(other.all());
  expect(ring.first).toBe(first);
  expect(ring.find(first)).toBeUndefined();
});

describe('who opens an agreement', () => {
  const seen = (status: AgreementRecord['status'], own: RecipientRecord['status']) => {
    const recipient = createStub<RecipientRecord>({ status: own, viewed_at: 1 });
    const agreement = createStub<AgreementRecord>({ status, recipients: [recipient] });
    markViewed(createStub<Service>({ clock: { now: () => 7 } }), agreement, recipient);
    return [agreement.status, recipient.status, recipient.viewed_at];
  };
  test.each<[AgreementRecord['status'], RecipientRecord['status'], unknown[]]>([
    ['sent', 'sent', ['viewed', 'viewed', 7]],
    ['viewed', 'sent', ['viewed', 'viewed', 7]],
    ['voided', 'sent', ['voided', 'viewed', 7]],
    ['viewed', 'viewed', ['viewed', 'viewed', 1]],
    ['signed', 'signed', ['signed', 'signed', 1]],
    ['draft', 'waiting', ['draft', 'waiting', 1]],
  ])('that is %s, as one who has %s it, leaves it %j', (status, own, found) => {
    expect(seen(status, own)).toEqual(found);
  });
});

test('figures count what was read to its end, when somebody last came, and an open page for ten minutes at most', () => {
  const visit = (more: Partial<VisitRecord>) =>
    createStub<VisitRecord>({ email: null, page_count: 2, started_at: 0, dwell: new Map(), open: null, ...more });
  const visits = [
    visit({ id: 'a', started_at: 9, dwell: new Map([[2, 1_000]]) }),
    visit({ id: 'b', started_at: 5, dwell: new Map([[1, 1_000]]) }),
    // Of a file without pages nobody knows its end.
    visit({ id: 'c', page_count: 0, dwell: new Map([[1, 1_000]]) }),
    visit({ id: 'd', page_count: 0 }),
  ];
  expect(calculateAnalytics(visits, 10)).toMatchObject({
    completion_rate: 0.25,
    last_viewed_at: 9,
    unique_visitors: 4,
  });
  const open = visit({ open: { page: 1, since: 0 } });
  expect([getOpenMs(open, 1_000), getOpenMs(open, 3_600_000), getOpenMs(visit({}), 5)]).toEqual([1_000, 600_000, 0]);
});

test.each<[string | undefined, number, string | null, string]>([
  [undefined, 200, null, '0123456789'],
  ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
  ['bytes=5-99', 206, 'bytes 5-9/10', '56789'],
  ['bytes=9-', 206, 'bytes 9-9/10', '9'],
  ['bytes=-3', 206, 'bytes 7-9/10', '789'],
  ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
  ['bytes=-0', 416, 'bytes */10', ''],
  ['bytes=10-', 416, 'bytes */10', ''],
  ['bytes=5-2', 200, null, '0123456789'],
  ['bytes=-', 200, null, '0123456789'],
])('a file of ten bytes gives for %s the status %i and %s', async (range, status, part, text) => {
  const bytes = Buffer.from('0123456789');
  const service = createStub<Service>({
    files: {
      has: () => true,
      getSize: async () => bytes.length,
      stream: (_: string, { start, end }: { start: number; end: number }) =>
        Readable.from([bytes.subarray(start, end)]),
    },
  });
  const version = createStub<Version>({ content: { kind: 'file', key: 'k' }, content_type: 'text/html' });
  const app = new Hono().get('/f', (context) =>
    sendFile(context, { service, version, name: 'a.html', download: false }),
  );
  const answer = await app.request('/f', range === undefined ? {} : { headers: { range } });
  expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([status, part, text]);
  // A page of somebody else's runs no code here.
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
});

test('a text becomes no markup', () => {
  expect(escapeHtml(`<a href='x' title="y">&`)).not.toMatch(/[<>"']|&(?!#\d+;)/);
});
