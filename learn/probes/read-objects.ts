import { getTextField, isObject } from '../../src/answer/fields.ts';
import { VISIT_ID_FIELDS } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import type { Topic } from '../questions/question.ts';
import { getListIds, getOperation, methodAndRoute, type World } from './world.ts';

/** One object of each kind, and the figures of a link, a visit and a room. */
export async function readObjects(world: World): Promise<void> {
  await readOne(world, 'documents.get', { id: getListIds(world, 'documents.list')[0] });
  await readOne(world, 'templates.get', { id: getListIds(world, 'templates.list')[0] });
}

export async function readAnalytics(world: World): Promise<void> {
  const link = /\/links\/([^/]+)\/visitors/.exec(world.lists.get('analytics.visitors')?.path ?? '')?.[1];
  const id = link === undefined ? getListIds(world, 'links.list')[0] : decodeURIComponent(link);
  await readOne(world, 'analytics.link', { id, topic: 'analytics' });
  await readOne(world, 'analytics.visit', { id: findVisitId(world), topic: 'analytics' });
  await readOne(world, 'analytics.room', { id: getListIds(world, 'rooms.list')[0], topic: 'analytics' });
}

export async function readBilling(world: World): Promise<void> {
  await readOne(world, 'billing.subscription', { topic: 'billing' });
  await readOne(world, 'billing.usage', { topic: 'billing' });
}

/** The form of a file's answer; an address in it is never followed. */
export async function readFiles(world: World): Promise<void> {
  const { entries = [] } = world.lists.get('agreements.list') ?? {};
  const ids = getListIds(world, 'agreements.list');
  // One that is signed has its document surely.
  const signed = entries.findIndex((entry) =>
    Object.values(entry).some(
      (value) => typeof value === 'string' && /^(?:signed|complete|executed)/.test(value),
    ),
  );
  await readOne(world, 'agreements.document', { id: ids[signed < 0 ? 0 : signed], topic: 'files' });
}

/** A visitor names visits, or is one. */
function findVisitId(world: World): string | undefined {
  const [visitor] = world.lists.get('analytics.visitors')?.entries ?? [];
  if (!visitor) return undefined;
  for (const value of Object.values(namedIn(visitor)))
    if (Array.isArray(value)) {
      const [first] = value;
      if (typeof first === 'string' || typeof first === 'number') return String(first);
      if (isObject(first)) return getTextField(first, VISIT_ID_FIELDS) ?? getTextField(first, ['id']);
    } else if (typeof value === 'string' || typeof value === 'number') return String(value);
  return getListIds(world, 'analytics.visitors')[0];
}

function namedIn(visitor: Record<string, unknown>): Record<string, unknown> {
  const plain = (name: string) => name.replace(/[_-]/g, '').toLowerCase();
  const wanted = VISIT_ID_FIELDS.map(plain);
  return Object.fromEntries(
    Object.entries(visitor)
      .filter(([name]) => wanted.includes(plain(name)))
      .sort(([a], [b]) => wanted.indexOf(plain(a)) - wanted.indexOf(plain(b))),
  );
}

async function readOne(
  world: World,
  name: OperationName,
  { id, topic = 'objects' }: { id?: string | undefined; topic?: Topic },
): Promise<void> {
  const { method, route } = methodAndRoute(getOperation(name));
  if (route.includes('{id}') && id === undefined) return;
  const path = route.replace('{id}', encodeURIComponent(id ?? ''));
  await world.session.ask({ method, path, route, operation: name, topic });
}
