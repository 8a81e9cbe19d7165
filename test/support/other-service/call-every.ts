import { pathsOfValue, plainName } from '../../../sandbox/service-profile/form-paths.ts';
import { type OperationName, type OperationProfile, operations, type Schema } from '../../../src/index.ts';

/** How one service is spoken to: its bodies, and where it shows lists and ids. */
export interface Speech {
  readonly list: (body: unknown) => readonly Fields[];
  readonly item: (body: unknown) => Fields;
  readonly visits: (visitor: Fields) => readonly unknown[];
  readonly bodies: Readonly<Partial<Record<OperationName, (ids: Ids) => object>>>;
}
type Fields = Readonly<Record<string, unknown>>;
export type Ids = Readonly<Record<'document' | 'room' | 'group', string>>;

/** An answer by what does not change from call to call. */
export interface Outline {
  readonly status: number;
  readonly type: string | null;
  readonly headers: readonly string[];
  /** `entry.owner.id:text`. */
  readonly paths: ReadonlySet<string>;
}

/** What each answer has by itself. */
const OF_THE_CONNECTION = /^(?:date|connection|keep-alive|transfer-encoding|content-length|content-type|vary|server)$/;

/** Calls each of the 42 operations, on objects that are there and on those it makes; two seconds go by between them by `wait`. */
export async function callEvery(
  service: { url: string; key: string },
  { list, item, visits, bodies }: Speech,
  wait: () => Promise<void> = async () => undefined,
): Promise<ReadonlyMap<OperationName, Outline>> {
  const outlines = new Map<OperationName, Outline>();
  const call = async (name: OperationName, id = '', body?: object | FormData): Promise<unknown> => {
    await wait();
    const { route } = operations.find((one) => one.name === name)?.operation ?? { route: '' };
    const [method = '', path = ''] = route.split(' ');
    const isForm = body instanceof FormData;
    const answer = await fetch(service.url + path.replace('{id}', encodeURIComponent(id)), {
      method,
      headers: {
        authorization: `Bearer ${service.key}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      body: isForm ? body : body ? JSON.stringify(body) : null,
      redirect: 'manual',
    });
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`${name} ${answer.status} ${text}`);
    const value: unknown = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined;
    outlines.set(name, {
      status: answer.status,
      type: answer.headers.get('content-type'),
      headers: [...answer.headers.keys()].filter((header) => !OF_THE_CONNECTION.test(header)).sort(),
      paths: value === undefined ? new Set() : pathsOfValue(value),
    });
    return value;
  };
  const first = async (name: OperationName, id?: string) => list(await call(name, id));
  const idOf = (entry: Fields | undefined) => String(entry?.['id']);
  const write = (name: OperationName, ids: Ids, id?: string) => call(name, id, bodies[name]?.(ids) ?? {});

  const document = idOf((await first('documents.list')).at(0));
  await call('documents.get', document);
  await call('documents.pages', document);
  const rooms = await first('rooms.list');
  const ids: Ids = { document, room: idOf(rooms[0]), group: '' };
  for (const link of await first('links.list')) {
    const [visitor] = await first('analytics.visitors', idOf(link));
    if (!visitor) continue;
    await call('analytics.visit', String(visits(visitor)[0]));
    await call('analytics.link', idOf(link));
    break;
  }
  await call('analytics.room', ids.room);
  const agreement = idOf((await first('agreements.list'))[0]);
  await call('agreements.document', agreement);
  await call('proposals.list');
  await call('templates.get', idOf((await first('templates.list'))[0]));
  await call('contacts.list');
  for (const name of ['webhooks.list', 'billing.subscription', 'billing.invoices', 'billing.usage'] as const)
    await call(name);

  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.4 tiny'], { type: 'application/pdf' }), 'one.pdf');
  form.set('name', 'One');
  await call('documents.create', '', form);
  const session = item(await write('documents.startUpload', ids));
  const { uploadUrl, headers, storageKey, token } = session as {
    uploadUrl: string;
    headers: Record<string, string>;
  } & Fields;
  await fetch(uploadUrl, { method: 'PUT', headers, body: '%PDF-1.4 tiny' });
  await call('documents.finalizeUpload', '', { storageKey, token });
  const link = idOf(item(await write('links.create', ids)));
  await write('links.update', ids, link);
  await call('links.delete', link);
  const room = idOf(item(await write('rooms.create', ids)));
  await write('rooms.addFolder', ids, room);
  await write('rooms.addFile', ids, room);
  const group = idOf(item(await write('rooms.addGroup', ids, room)));
  await write('rooms.setPermissions', { ...ids, room, group }, room);
  const draft = idOf(item(await write('agreements.create', ids)));
  await call('agreements.send', draft, {});
  const proposal = idOf(item(await write('proposals.create', ids)));
  await write('proposals.send', ids, proposal);
  const template = idOf(item(await write('templates.create', ids)));
  await write('templates.update', ids, template);
  await call('templates.delete', template);
  const contact = idOf(item(await write('contacts.create', ids)));
  await write('contacts.update', ids, contact);
  await write('contacts.addTags', ids, contact);
  await call('webhooks.delete', idOf(item(await write('webhooks.create', ids))));
  return outlines;
}

/** Returns the fields that an operation's responses hold only sometimes: optional ones, and a list's next page. */
export function findOptionalFields({ response, list }: OperationProfile): ReadonlySet<string> {
  const found = new Set<string>(list?.next?.at ? [`.${list.next.at.map(plainName).join('.')}`] : []);
  const visit = (form: Schema, at: string): void => {
    for (const [name, field] of Object.entries(form.properties ?? {})) {
      if (!form.required?.includes(name)) found.add(`${at}.${plainName(name)}`);
      visit(field, `${at}.${plainName(name)}`);
    }
    if (form.items) visit(form.items, `${at}[]`);
  };
  if (response?.body) visit(response.body, '');
  return found;
}

/**
 * Where two answers differ in what they hold, but for what they hold now and then: what lies below a list that is empty, or
 * a value that is null, says nothing.
 */
export function differing(one: Outline, other: Outline, sometimes: ReadonlySet<string>): readonly string[] {
  const told = (outline: Outline) => {
    const kinds = new Map<string, Set<string>>();
    for (const path of outline.paths) {
      const at = path.slice(0, path.lastIndexOf(':'));
      kinds.set(at, (kinds.get(at) ?? new Set()).add(path.slice(at.length + 1)));
    }
    return kinds;
  };
  const [a, b] = [told(one), told(other)];
  const isSilent = (kinds: ReadonlyMap<string, ReadonlySet<string>>, at: string) => {
    // A list or object further up that has nothing in it here.
    const up = at.match(/^(.*?)(\[\]|\.[^.[]*)$/);
    for (let above = up?.[1]; above !== undefined; above = above.match(/^(.*)(\[\]|\.[^.[]*)$/)?.[1]) {
      const found = kinds.get(above);
      if (found === undefined) continue;
      return !found.has('object') && (!found.has('list') || !kinds.has(`${above}[]`));
    }
    return false;
  };
  const always = [...new Set([...a.keys(), ...b.keys()])].filter(
    (at) => ![...sometimes].some((place) => at === place || at.startsWith(`${place}.`) || at.startsWith(`${place}[`)),
  );
  return always.flatMap((at) => {
    const [mine, yours] = [a.get(at), b.get(at)];
    if (!mine || !yours) return isSilent(mine ? b : a, at) ? [] : [`${at} ${mine ? 'is missing' : 'is new'}`];
    const [seen, came] = [mine, yours].map((kinds) => [...kinds].filter((kind) => kind !== 'nothing'));
    const isOther = seen && came && seen.length > 0 && came.length > 0 && !came.every((kind) => seen.includes(kind));
    return isOther ? [`${at} is ${came.join()} instead of ${seen.join()}`] : [];
  });
}
