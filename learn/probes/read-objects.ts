import { VISIT_ID_FIELDS } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { getField, getTextField, isObject } from '../../src/records/fields.ts';
import type { Topic } from '../questions/question.ts';
import { createProbeRequest, getListIds, type ProbeContext } from './probe-context.ts';

export async function readObjects(context: ProbeContext): Promise<void> {
  await readOne(context, 'documents.get', { id: getListIds(context, 'documents.list')[0] });
  await readOne(context, 'templates.get', { id: getListIds(context, 'templates.list')[0] });
}

export async function readAnalytics(context: ProbeContext): Promise<void> {
  const link = /\/links\/([^/]+)\/visitors/.exec(context.lists.get('analytics.visitors')?.path ?? '')?.[1];
  const id = link === undefined ? getListIds(context, 'links.list')[0] : decodeURIComponent(link);
  await readOne(context, 'analytics.link', { id, topic: 'analytics' });
  await readOne(context, 'analytics.visit', { id: findVisitId(context), topic: 'analytics' });
  await readOne(context, 'analytics.room', { id: getListIds(context, 'rooms.list')[0], topic: 'analytics' });
}

export async function readBilling(context: ProbeContext): Promise<void> {
  await readOne(context, 'billing.subscription', { topic: 'billing' });
  await readOne(context, 'billing.usage', { topic: 'billing' });
}

/** Reads how a file is returned. A URL in the response is never followed. */
export async function readAgreementFile(context: ProbeContext): Promise<void> {
  const { entries = [] } = context.lists.get('agreements.list') ?? {};
  const ids = getListIds(context, 'agreements.list');
  // A signed agreement is certain to have a document.
  const signed = entries.findIndex((entry) =>
    Object.values(entry).some((value) => typeof value === 'string' && /^(?:signed|complete|executed)/.test(value)),
  );
  await readOne(context, 'agreements.document', { id: ids[signed < 0 ? 0 : signed], topic: 'files' });
}

/** Returns the ID of a visit, or of the visitor if it names none. */
function findVisitId(context: ProbeContext): string | undefined {
  const [visitor] = context.lists.get('analytics.visitors')?.entries ?? [];
  if (!visitor) return undefined;
  for (const name of VISIT_ID_FIELDS) {
    const value = getField(visitor, name);
    const first = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string' || typeof first === 'number') return String(first);
    if (Array.isArray(value) && isObject(first))
      return getTextField(first, VISIT_ID_FIELDS) ?? getTextField(first, ['id']);
  }
  return getListIds(context, 'analytics.visitors')[0];
}

async function readOne(
  context: ProbeContext,
  name: OperationName,
  { id, topic = 'objects' }: { id?: string | undefined; topic?: Topic },
): Promise<void> {
  const request = createProbeRequest(name, id);
  if (request.route.includes('{id}') && id === undefined) return;
  await context.session.sendRequest({ ...request, topic });
}
