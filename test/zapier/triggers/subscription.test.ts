import { describe, expect, test } from 'vitest';
import { type Item, outcomeOf, type ZapAnswer, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const URL = 'https://hooks.zapier.test/1';
const KIND = 'link.viewed';

interface Service {
  /** Registered webhooks, as the list shows them. */
  readonly list?: Item[];
  /** Responses to a registration, in order; the last one is repeated. A number is a status. */
  readonly answers?: readonly (Item | number)[];
  /** How the list shows a new registration (default: it does not). */
  readonly show?: (id: string) => Item;
  readonly deleteStatus?: number;
  readonly listStatus?: number;
}

function serve({ list = [], answers = [{ id: 'new' }], show, deleteStatus = 204, listStatus = 200 }: Service = {}) {
  const bodies: Item[] = [];
  let hooks = list;
  const step = zapStep(({ method, path, body }): ZapAnswer => {
    if (method === 'GET') return { status: listStatus, json: { data: hooks } };
    if (method === 'DELETE') {
      if (deleteStatus === 204) hooks = hooks.filter(({ id }) => path !== `/webhooks/${id}`);
      return { status: deleteStatus, json: {} };
    }
    bodies.push(body as Item);
    const answer = answers[Math.min(bodies.length, answers.length) - 1] ?? {};
    if (typeof answer === 'number') return { status: answer, json: { message: 'refused' } };
    if (show) hooks = [...hooks, show(String(answer['id'] ?? 'unnamed'))];
    return { status: 201, json: answer };
  });
  const subscribe = (bundle: object = { targetUrl: URL }) =>
    step.trigger<Item>('link_viewed', bundle, 'performSubscribe');
  const unsubscribe = (bundle: object) => outcomeOf(step.trigger('link_viewed', bundle, 'performUnsubscribe'));
  /** Requests in short: `list`, `create`, `delete ID`. */
  const did = () =>
    step.calls.map(({ method, path }) =>
      method === 'DELETE' ? `delete ${path.split('/').at(-1)}` : method === 'GET' ? 'list' : 'create',
    );
  return { subscribe, unsubscribe, did, bodies };
}
const hook = (id: string, url = URL) => ({ id, url });
const OTHER = hook('other', 'https://else.test/');

describe('a new registration', () => {
  test.each<[Item, Item]>([
    [{ id: 'w', url: URL }, { id: 'w' }],
    [{ data: { webhook: { id: 'w' } } }, { id: 'w' }],
    [{ a: { b: { c: { id: 'w' } } } }, { id: 'w' }],
    [{ a: { b: { c: { d: { e: { id: 'w' } } } } } }, { id: '' }],
    [
      { id: 'w', signing_secret: 'whsec_x' },
      { id: 'w', secret: 'whsec_x' },
    ],
    [{ id: 'w', key: 'x' }, { id: 'w' }],
    [
      { id: 'w', expires_at: '2026-12-01T00:00:00Z' },
      { id: 'w', expiration_date: '2026-12-01T00:00:00.000Z' },
    ],
    [{}, { id: '' }],
  ])('with the response %j is stored as %j', async (answer, stored) => {
    const { subscribe, did, bodies } = serve({ answers: [answer] });
    expect(await subscribe()).toEqual({ url: URL, ...stored });
    expect(bodies).toEqual([{ url: URL, events: [KIND] }]);
    expect(did().filter((one) => one.startsWith('delete'))).toEqual([]);
  });

  test.each<[string, Service, string, string[]]>([
    [
      'without an ID in the response is found in the list',
      { list: [hook('old'), OTHER], answers: [{}], show: () => hook('fresh') },
      'fresh',
      ['list', 'create', 'list', 'delete old'],
    ],
    [
      'that the list does not show is the existing one',
      { list: [hook('old')], answers: [{}] },
      'old',
      ['list', 'create', 'list'],
    ],
    [
      'is made before older ones of the same URL are deleted, so that no event is missed',
      { list: [hook('old'), { id: 'deep', config: { target: { url: URL } } }, OTHER] },
      'new',
      ['list', 'create', 'delete old', 'delete deep'],
    ],
    ['with the ID of an older one is not deleted', { list: [hook('new')] }, 'new', ['list', 'create']],
    [
      'succeeds even if older ones cannot be deleted',
      { list: [hook('old'), hook('older')], deleteStatus: 401 },
      'new',
      ['list', 'create', 'delete old', 'delete older'],
    ],
    ['succeeds even if the list cannot be read', { listStatus: 403 }, 'new', ['list', 'create']],
    [
      'replaces the one that the service calls a conflict',
      { list: [hook('old')], answers: [409, { id: 'new' }] },
      'new',
      ['list', 'create', 'delete old', 'create'],
    ],
  ])('%s', async (_, service, id, requests) => {
    const { subscribe, did } = serve(service);
    expect(await subscribe()).toMatchObject({ id, url: URL });
    expect(did()).toEqual(requests);
  });

  test('tries each body in turn if the service rejects one, each once, and remembers the accepted one', async () => {
    const { subscribe, bodies } = serve({ answers: [422, { id: 'w' }] });
    expect(await subscribe()).toMatchObject({ id: 'w' });
    expect(bodies).toEqual([
      { url: URL, events: [KIND] },
      { url: URL, event_types: [KIND] },
    ]);
    const next = serve();
    await next.subscribe();
    expect(next.bodies, 'the next one begins with the accepted body').toEqual([{ url: URL, event_types: [KIND] }]);
    const changed = serve({ answers: [422, { id: 'w' }] });
    await changed.subscribe();
    expect(changed.bodies.at(-1), 'the service accepts the first body again').toEqual({ url: URL, events: [KIND] });
    const never = serve({ answers: [422] });
    await expect(never.subscribe()).rejects.toThrow();
    expect(never.bodies.length).toBeGreaterThan(5);
    expect(new Set(never.bodies.map((body) => JSON.stringify(body))).size).toBe(never.bodies.length);
  });

  test.each<[string, Service]>([
    ['for another reason', { list: [hook('old')], answers: [401] }],
    ['a URL that no registration has', { list: [OTHER], answers: [409] }],
  ])('that the service rejects %s deletes nothing', async (_, service) => {
    const { subscribe, did } = serve(service);
    await expect(subscribe()).rejects.toThrow();
    expect(did()).toEqual(['list', 'create']);
  });

  test('needs a URL', async () => {
    const { subscribe, did } = serve();
    await expect(subscribe({})).rejects.toThrow(texts.turnZapOffAgain);
    expect(did()).toEqual([]);
  });
});

test.each<[string, object, Service, string[], boolean]>([
  [
    'deletes its registration, and others of the same URL',
    { subscribeData: { id: 'w', url: URL } },
    { list: [hook('w'), hook('x'), OTHER] },
    ['delete w', 'list', 'delete x'],
    true,
  ],
  ['needs only the ID', { subscribeData: { id: 'w' } }, { list: [hook('w')] }, ['delete w'], true],
  [
    'needs only the URL',
    { subscribeData: { id: '' }, targetUrl: URL },
    { list: [hook('w'), hook('x')] },
    ['list', 'delete w', 'delete x'],
    true,
  ],
  [
    'deletes a registration once, even if the list still shows it',
    { subscribeData: { id: 'w', url: URL } },
    { list: [hook('w')], deleteStatus: 404 },
    ['delete w', 'list'],
    true,
  ],
  [
    'succeeds if the registration is gone, whatever the rejection',
    { subscribeData: { id: 'w' } },
    { list: [hook('x')], deleteStatus: 422 },
    ['delete w', 'list'],
    true,
  ],
  ['fails with an invalid key', { subscribeData: { id: 'w' } }, { deleteStatus: 401 }, ['delete w'], false],
  [
    'fails if the registration remains',
    { subscribeData: { id: 'w' } },
    { list: [hook('x'), hook('w')], deleteStatus: 422 },
    ['delete w', 'list'],
    false,
  ],
])('the end of a subscription %s', async (_, bundle, service, requests, isDone) => {
  const { unsubscribe, did } = serve(service);
  expect(await unsubscribe(bundle)).toEqual(isDone ? {} : expect.any(String));
  expect(did()).toEqual(requests);
});
