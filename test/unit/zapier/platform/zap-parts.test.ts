/** What all steps of a Zap share: what was done in a run, whose turn it is, what a filter says, how an answer comes in. */
import { describe, expect, test } from 'vitest';
import type { ZObject } from 'zapier-platform-core';
import { RateLimitError, ServerError } from '../../../../zapier/platform/client-core.ts';
import { createConnectionCache } from '../../../../zapier/platform/connection-cache.ts';
import { getStepRun } from '../../../../zapier/platform/step-run.ts';
import { toPartialFailureError } from '../../../../zapier/platform/zapier-errors.ts';
import { createZapTransport } from '../../../../zapier/platform/zapier-transport.ts';
import { fieldEquals, matchesFilters, type WebhookTrigger } from '../../../../zapier/triggers/webhook-trigger.ts';
import { createStub } from '../../../support/create-stub.ts';
import { zapStep } from '../../../support/zap-step.ts';
import { platformWith } from '../../../support/zapier-z.ts';
import { texts } from '../../../zapier/texts.ts';

const at = (path: string) => `https://api.test/api/v1${path}`;

test.each<[string, string, string, number | undefined, string]>([
  ['a write that was answered', 'POST', '/links', 201, 'done'],
  ['a write that nothing came to', 'POST', '/links', undefined, 'pending'],
  ['a write that was refused', 'PATCH', '/links/l1', 422, 'nothing'],
  ['a write that never left', 'POST', '/links', 0, 'nothing'],
  ['a read', 'GET', '/links', 200, 'nothing'],
  ['the start of an upload', 'POST', '/documents/uploads', 201, 'nothing'],
])('a run knows of %s what became of it', (_, method, path, status, wrote) => {
  const run = getStepRun(zapStep(() => undefined).z);
  run.recordRequest({ method, url: at(path) });
  if (status !== undefined) run.recordRequest({ method, url: at(path), status });
  expect(run.getWriteStatus()).toBe(wrote);
});

describe('an event is claimed', () => {
  /** A cache that stores what it is given, and whose first answers get lost. */
  const claimed = (lost: number, by?: string) => {
    const kept = new Map<string, unknown>(by === undefined ? [] : [['e', by]]);
    let left = lost;
    const cache = {
      get: async (key: string) => kept.get(key) ?? null,
      set: async (key: string, value: unknown, _ttl: number, _scope: string[], nx?: boolean) => {
        const isTaken = nx === true && kept.has(key);
        if (!isTaken) kept.set(key, value);
        left -= 1;
        if (left >= 0) throw new Error('No answer.');
        return !isTaken;
      },
    };
    return createConnectionCache(platformWith({ cache })).setIfAbsent('e', 60);
  };
  test.each([
    ['by the first who asks', 0, undefined, true],
    ['by nobody else', 0, 'another run', false],
    ['by who was not told that it came through, since its Zap would never run', 1, undefined, true],
  ])('%s', async (_, lost, by, isOurs) => {
    expect(await claimed(lost, by)).toBe(isOurs);
  });
});

test.each<[Record<string, unknown>, boolean | 'unknown']>([
  [{}, true],
  [{ link: '', document: undefined }, true],
  [{ link: 'l1' }, true],
  [{ link: 'l2' }, false],
  [{ document: 'd1' }, 'unknown'],
  [{ link: 'l1', document: 'd1' }, 'unknown'],
  // What one filter excludes costs no question about another.
  [{ link: 'l2', document: 'd1' }, false],
])('an event of one link and of a document that it does not name passes %j: %s', (input, verdict) => {
  const kind = createStub<WebhookTrigger>({
    filters: { link: fieldEquals('link_id'), document: fieldEquals('document_id') },
  });
  expect(matchesFilters(kind, { id: 'e', link_id: 'l1', document_id: null }, input)).toBe(verdict);
});

describe('a step that failed between two of its calls', () => {
  const failed = (z: ZObject, kept: boolean) => {
    const refused = new ServerError('x', {
      status: 500,
      operation: 'links.create',
      scope: 'links:write',
      body: '',
      details: [],
      headers: {},
    });
    return toPartialFailureError(z, refused, { completed: 'The file is uploaded.', isResumable: kept }) as Error;
  };
  const { z } = zapStep(() => undefined);
  test('is replayed where it remembers what it has done', () => {
    expect(failed(z, true)).toMatchObject({ name: 'Error', message: expect.stringContaining('replay this run') });
  });
  test('is halted, which Zapier begins no second time, where it does not', () => {
    expect(failed(z, false)).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(texts.doNotReplayThisRun),
    });
  });
  test.each([
    ['is begun again by Zapier itself where it remembers', true, 'ThrottledError'],
    ['is not where it does not, since all would be done once more', false, 'HaltedError'],
  ])('for the limit of requests %s', (_, kept, name) => {
    const limited = new RateLimitError('x', {
      status: 429,
      operation: 'links.create',
      scope: 'links:write',
      body: '',
      details: [],
      headers: {},
    });
    const done = 'The file is uploaded.';
    expect(toPartialFailureError(z, limited, { completed: done, isResumable: kept })).toMatchObject({ name });
  });
});

test.each<[Record<string, string>, string | undefined]>([
  [{ 'content-length': '9' }, '9'],
  // It comes decoded: the length is that of other bytes.
  [{ 'content-length': '9', 'content-encoding': 'gzip' }, undefined],
])('an answer with %j has the length %s', async (headers, length) => {
  const step = zapStep(() => ({ json: { a: 1 }, headers }));
  const answer = await createZapTransport(step.z)({ method: 'GET', url: at('/links'), headers: {} });
  expect(answer.headers['content-length']).toBe(length);
});
