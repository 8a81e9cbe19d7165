/** What the learner takes for its own: it removes that, and must remove nothing else. */
import { describe, expect, test } from 'vitest';
import type { ProbeContext } from '../../../../learn/probes/probe-context.ts';
import { createRecorder } from '../../../../learn/probes/recorder.ts';
import type { RecordedResponse } from '../../../../learn/probes/session.ts';
import { existedBefore } from '../../../../learn/write/existed-before.ts';
import { findRemovableResources } from '../../../../learn/write/find-removable-resources.ts';
import { hasMarker } from '../../../../learn/write/has-marker.ts';
import { createStub } from '../../../support/create-stub.ts';

const MARKER = 'docshare-learn-0123456789ab';

test.each<[string, unknown, boolean]>([
  ['links', { name: MARKER }, true],
  ['links', { name: `${MARKER} b` }, true],
  ['links', { attributes: { title: MARKER } }, true],
  ['links', { link: { name: MARKER } }, true],
  ['links', { document: { name: `${MARKER}.pdf` } }, true],
  ['webhooks', { url: `https://hooks.test/a/${MARKER}` }, true],
  ['contacts', { email: `${MARKER}@docshare-learn.invalid` }, true],
  // What people write about it is theirs.
  ['links', { name: `Who made ${MARKER}` }, false],
  ['links', { name: `${MARKER} is whose?` }, false],
  ['links', { name: `${MARKER}${MARKER}` }, false],
  ['links', { name: MARKER.slice(0, -1) }, false],
  ['contacts', { email: `me+${MARKER}@docshare-learn.invalid` }, false],
  ['documents', { last_link_name: MARKER }, false],
  ['documents', { link: { name: MARKER } }, false],
  ['agreements', { document: { name: `${MARKER}.pdf` } }, false],
  ['links', { tags: [MARKER] }, false],
  ['links', MARKER, false],
])('of %s, %j is its own: %s', (group, entry, isOwn) => {
  expect(hasMarker(entry, { group, marker: MARKER })).toBe(isOwn);
});

describe('a returned object existed before the creation', () => {
  const contextWith = (ids: readonly string[], isWhole: boolean, more: object = {}) =>
    createStub<ProbeContext>({
      lists: new Map([
        [
          'links.list',
          {
            named: { name: 'links.list', group: 'links' },
            path: '/links',
            entries: ids.map((id) => ({ id })),
            parsedPage: { page: { complete: isWhole, items: [], ...more }, signs: {} },
          },
        ],
      ]),
    });
  const at = Date.UTC(2026, 0, 1, 12);
  const answered = (json: object, status = 200) => createStub<RecordedResponse>({ json, status, headers: {}, at });
  const hour = (hours: number) => new Date(at - hours * 3_600_000).toISOString();
  test.each<[string, ProbeContext, RecordedResponse, boolean, boolean]>([
    ['if its list showed it', contextWith(['l1'], true), answered({ id: 'l1' }, 201), false, true],
    ['if it is old', contextWith([], false), answered({ id: 'l1', created_at: hour(1) }, 201), true, true],
    ['if nothing shows that it is new', contextWith([], false), answered({ id: 'l1' }), true, true],
    ['if its list has more pages', contextWith([], true, { cursor: {} }), answered({ id: 'l1' }), true, true],
    ['not if it is new', contextWith([], false), answered({ id: 'l1', created_at: hour(0) }), true, false],
    ['not if the status is 201', contextWith([], false), answered({ id: 'l1' }, 201), true, false],
    ['not if the complete list lacked it', contextWith(['l2'], true), answered({ id: 'l1' }), true, false],
    ['not if its name is unique', contextWith([], false), answered({ id: 'l1' }), false, false],
  ])('%s', (_, context, answer, mayReturnExisting, existed) => {
    expect(existedBefore(context, { list: '/links', id: 'l1', response: answer, mayReturnExisting })).toBe(existed);
  });
});

test('an address in an answer is kept and never followed', async () => {
  const request: string[] = [];
  const recorder = createRecorder({
    budget: 5,
    transport: async ({ url }) => {
      request.push(url);
      return { status: 302, headers: { location: 'https://other.test/' }, body: (async function* () {})() };
    },
  });
  const shown = await recorder.transport({ method: 'GET', url: 'https://api.test/a', headers: {} });
  expect(shown).toMatchObject({ status: 204, headers: {} });
  expect(recorder.takeExchanges()).toMatchObject([{ status: 302, headers: { location: 'https://other.test/' } }]);
  expect(request).toEqual(['https://api.test/a']);
});

test('the key goes as it is told to: its own, a wrong one, or none', async () => {
  const sent: (string | undefined)[] = [];
  const recorder = createRecorder({
    budget: 3,
    transport: async ({ headers }) => {
      sent.push(headers['authorization']);
      return { status: 200, headers: {}, body: (async function* () {})() };
    },
  });
  const request = { method: 'GET', url: 'https://api.test/a', headers: { authorization: 'Bearer own' } };
  for (const key of ['own', 'wrong', 'none'] as const) {
    recorder.key = key;
    await recorder.transport(request);
  }
  expect(sent).toEqual(['Bearer own', 'Bearer docshare-learn-wrong-key', undefined]);
  await expect(recorder.transport(request)).rejects.toThrow('The budget of 3 calls is exhausted.');
  expect(sent).toHaveLength(3);
});

test.each<[string, (group: string) => [number, string], string[]]>([
  [
    'answers it as the one of an unknown link',
    (group) => (/^(links|documents)$/.test(group) ? [404, 'No such id'] : [405, 'No']),
    ['documents'],
  ],
  ['says no more of a route that is none', () => [404, 'Not found'], []],
  ['says yes to everything', () => [204, ''], []],
])('what can be removed is known by the answer to a removal, where a service %s', async (_, answerOf, found) => {
  const request: string[] = [];
  const session = {
    sendRequest: async ({ method, path }: { method: string; path: string }) => {
      request.push(method);
      const [status, text] = answerOf(path.split('/')[1] ?? '');
      return { status, text, ok: status < 300, request: { path } };
    },
  };
  expect(await findRemovableResources(createStub<ProbeContext>({ session, lists: new Map() }))).toEqual(found);
  expect(new Set(request)).toEqual(new Set(['DELETE']));
});
