/** What Zapier keeps of a registration, and that no address has two or none. */
import { describe, expect, test } from 'vitest';
import { type ApiErrorInit, AuthenticationError, NotFoundError, ValidationError } from '../../../../src/errors.ts';
import { type Client, ConflictError, type JsonObject } from '../../../../zapier/platform/client-core.ts';
import { subscribe, unsubscribe } from '../../../../zapier/triggers/subscription.ts';
import { createStub } from '../../../support/create-stub.ts';

const URL = 'https://hooks.zapier.test/1';
const KIND = 'link.viewed';
const refusal = (status: number): ApiErrorInit => ({
  operation: 'webhooks.create',
  scope: 'webhooks:write',
  status,
  body: '',
});

interface Service {
  /** What is registered, as its list tells. */
  readonly list?: JsonObject[];
  /** The answers of POST in turn, the last one again and again; an error is thrown. */
  readonly answers?: readonly (JsonObject | Error)[];
  /** What a registration that stands looks like; none where the list does not show new ones. */
  readonly shows?: (id: string) => JsonObject;
  readonly onDelete?: (id: string) => Error | undefined;
  readonly listFails?: Error;
}

/** A service of webhooks, and what it was asked in turn. */
function serve({ list = [], answers = [{ id: 'new' }], shows, onDelete, listFails }: Service = {}) {
  const asked: string[] = [];
  const bodies: JsonObject[] = [];
  let standing = list;
  const client = createStub<Client>({
    webhooks: {
      async create(body: JsonObject) {
        bodies.push(body);
        asked.push('create');
        const answer = answers[Math.min(bodies.length, answers.length) - 1] ?? {};
        if (answer instanceof Error) throw answer;
        if (shows) standing = [...standing, shows(String(answer['id'] ?? 'unsaid'))];
        return answer;
      },
      async delete({ id }: { id: string }) {
        asked.push(`delete ${id}`);
        const error = onDelete?.(id);
        if (error) throw error;
        standing = standing.filter((one) => one['id'] !== id);
      },
      async *list(_query: object, options: object) {
        expect(options).toEqual({ incomplete: 'accept' });
        asked.push('list');
        yield* standing;
        if (listFails) throw listFails;
      },
    },
  });
  return { client, asked, bodies };
}
const hook = (id: string, url = URL) => ({ id, url });

describe('a new registration', () => {
  test.each<[string, JsonObject, object]>([
    ['an id', { id: 'w', url: URL }, { id: 'w' }],
    ['an id one level down', { data: { id: 'w' } }, { id: 'w' }],
    ['an id two levels down', { data: { webhook: { id: 'w' } } }, { id: 'w' }],
    ['an id of three levels down, which is another’s', { a: { b: { c: { id: 'w' } } } }, { id: 'w' }],
    ['an id four levels down', { a: { b: { c: { d: { id: 'w' } } } } }, { id: '' }],
    ['another name of the id', { subscription_id: 's' }, { id: 's' }],
    ['a secret', { id: 'w', signing_secret: 'whsec_x' }, { id: 'w', secret: 'whsec_x' }],
    ['a secret one level down', { id: 'w', data: { secret: 'x' } }, { id: 'w', secret: 'x' }],
    ['a key, which may be anything', { id: 'w', key: 'x' }, { id: 'w' }],
    [
      'an end',
      { id: 'w', expires_at: '2026-12-01T00:00:00Z' },
      { id: 'w', expiration_date: '2026-12-01T00:00:00.000Z' },
    ],
    ['nothing', {}, { id: '' }],
  ])('whose answer holds %s', async (_, answer, kept) => {
    const { client, asked, bodies } = serve({ answers: [answer] });
    expect(await subscribe(client, URL, KIND)).toEqual({ url: URL, ...kept });
    expect(bodies).toEqual([{ url: URL, events: [KIND] }]);
    expect(asked.filter((one) => one.startsWith('delete'))).toEqual([]);
  });

  test('whose answer holds no id is the one that stands there since', async () => {
    const before = [hook('old'), hook('other', 'https://else.test/')];
    const { client, asked } = serve({ list: before, answers: [{}], shows: () => hook('fresh') });
    expect(await subscribe(client, URL, KIND)).toEqual({ id: 'fresh', url: URL });
    expect(asked).toEqual(['list', 'create', 'list', 'delete old']);
  });

  test('that the service did not make anew keeps the one that stands', async () => {
    const { client, asked } = serve({ list: [hook('old')], answers: [{}] });
    expect(await subscribe(client, URL, KIND)).toEqual({ id: 'old', url: URL });
    expect(asked).toEqual(['list', 'create', 'list']);
  });

  test('stands before what stood there goes, so that no event is missed', async () => {
    const list = [hook('old'), { id: 'deep', config: { target: { url: URL } } }, hook('other', 'https://else.test/')];
    const { client, asked } = serve({ list, answers: [{ id: 'new' }] });
    await subscribe(client, URL, KIND);
    expect(asked).toEqual(['list', 'create', 'delete old', 'delete deep']);
  });

  test('with the id of the one before is not removed', async () => {
    const { client, asked } = serve({ list: [hook('same')], answers: [{ id: 'same' }] });
    await subscribe(client, URL, KIND);
    expect(asked).toEqual(['list', 'create']);
  });

  test('is made though the one before can not be removed, or the list not be read', async () => {
    const onDelete = () => new AuthenticationError('refused', refusal(401));
    const stuck = serve({ list: [hook('old'), hook('older')], onDelete });
    expect(await subscribe(stuck.client, URL, KIND)).toMatchObject({ id: 'new' });
    expect(stuck.asked).toEqual(['list', 'create', 'delete old', 'delete older']);
    const blind = serve({ list: [hook('old')], listFails: new AuthenticationError('refused', refusal(403)) });
    expect(await subscribe(blind.client, URL, KIND)).toMatchObject({ id: 'new' });
    expect(blind.asked).toEqual(['list', 'create', 'delete old']);
  });
});

describe('a service that refuses', () => {
  const invalid = new ValidationError('refused', refusal(422));
  test('a form of body is asked with the next one, each with every list of kinds', async () => {
    const { client, bodies } = serve({ answers: [invalid, invalid, invalid, { id: 'w' }] });
    expect(await subscribe(client, URL, [[KIND], [KIND, 'link.opened']])).toMatchObject({ id: 'w' });
    expect(bodies).toEqual([
      { url: URL, events: [KIND] },
      { url: URL, events: [KIND, 'link.opened'] },
      { url: URL, event_types: [KIND] },
      { url: URL, event_types: [KIND, 'link.opened'] },
    ]);
  });

  test('every body is asked for each once', async () => {
    const { client, bodies } = serve({ answers: [invalid] });
    await expect(subscribe(client, URL, [[KIND], ['a', 'b']])).rejects.toBe(invalid);
    expect(bodies).toHaveLength(11 + 8);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(19);
  });

  test('a second registration of an address gets it once the first is gone', async () => {
    const conflict = new ConflictError('refused', refusal(409));
    const { client, asked } = serve({ list: [hook('old')], answers: [conflict, { id: 'new' }] });
    expect(await subscribe(client, URL, KIND)).toEqual({ id: 'new', url: URL });
    expect(asked).toEqual(['list', 'create', 'delete old', 'create']);
  });

  test.each<[string, Error, JsonObject[]]>([
    ['for another reason', new AuthenticationError('refused', refusal(401)), [hook('old')]],
    ['an address that nobody has', new ConflictError('refused', refusal(409)), [hook('other', 'https://else.test/')]],
  ])('%s is believed, and nothing is removed', async (_, error, list) => {
    const { client, asked } = serve({ list, answers: [error] });
    await expect(subscribe(client, URL, KIND)).rejects.toBe(error);
    expect(asked).toEqual(['list', 'create']);
  });
});

describe('the end of a subscription', () => {
  test('takes its registration, and others at the same address', async () => {
    const list = [hook('w'), hook('x'), hook('other', 'https://else.test/')];
    const { client, asked } = serve({ list });
    await unsubscribe(client, { id: 'w', url: URL });
    expect(asked).toEqual(['delete w', 'list', 'delete x']);
  });

  test.each<[string, object, string[]]>([
    ['its id alone', { id: 'w' }, ['delete w']],
    ['its address alone', { id: '', url: URL }, ['list', 'delete w', 'delete x']],
    ['nothing', {}, []],
  ])('is known by %s', async (_, kept, did) => {
    const { client, asked } = serve({ list: [hook('w'), hook('x')] });
    await unsubscribe(client, kept);
    expect(asked).toEqual(did);
  });

  test('is one where the registration shows in the list still: it is not removed twice', async () => {
    const { client, asked } = serve({ list: [hook('w')], onDelete: () => new NotFoundError('refused', refusal(404)) });
    await unsubscribe(client, { id: 'w', url: URL });
    expect(asked).toEqual(['delete w', 'list']);
  });

  test('is good where it was gone already, in whatever words', async () => {
    const invalid = () => new ValidationError('refused', refusal(422));
    const { client, asked } = serve({ list: [hook('x')], onDelete: invalid });
    await unsubscribe(client, { id: 'w' });
    expect(asked).toEqual(['delete w', 'list']);
  });

  test.each<[string, Error, JsonObject[]]>([
    ['without leave', new AuthenticationError('refused', refusal(401)), []],
    ['that stands still', new ValidationError('refused', refusal(422)), [hook('x'), hook('w')]],
  ])('%s is a fault', async (_, error, list) => {
    const { client } = serve({ list, onDelete: () => error });
    await expect(unsubscribe(client, { id: 'w' })).rejects.toBe(error);
  });
});
