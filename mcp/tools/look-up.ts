import type { JsonObject } from '../../src/answer/fields.ts';
import { idOf } from '../../src/answer/fields.ts';
import type { Group } from '../../src/index.ts';
import { fitted } from '../answer/budget.ts';
import { identified, projected, withoutNulls } from '../answer/projection.ts';
import { withoutSecrets } from '../answer/secrets.ts';
import type { ToolContext } from '../contract/tool.ts';

const ITEMS_LIMIT = 500;
const TOKENS_LIMIT = 3000;

/** Groups whose single objects the API does not give: they are found in their lists. */
type Listed = Extract<Group, 'links' | 'rooms' | 'agreements' | 'proposals' | 'webhooks' | 'templates'>;

/** Looks for an object in its list. `searched`: how much of the list was read where it is not there. */
interface Finding {
  readonly item?: JsonObject;
  readonly searched?: 'all' | 'part';
}

/** Bounded in time and size; whatever fails, the act is previewed without. */
export async function findListed(
  { client, options }: ToolContext,
  { group, id }: { group: Listed; id: string },
): Promise<Finding> {
  try {
    let seen = 0;
    for await (const item of client[group].list({}, bounded(options))) {
      if (idOf(item, toSingular(group)) === id) return { item };
      seen += 1;
      if (seen >= ITEMS_LIMIT) return { searched: 'part' };
    }
    return { searched: 'all' };
  } catch {
    if (options.signal?.aborted) throw options.signal.reason;
    return {};
  }
}

/** What an act is about, for its preview. */
export function lookUp(group: Listed, id: string) {
  return async (context: ToolContext): Promise<JsonObject | undefined> =>
    describeFinding(context, { group, finding: await findListed(context, { group, id }) });
}

/** All of a found object; of a link or a file also the document that it shows. */
export async function describeFinding(
  context: ToolContext,
  { group, finding }: { group: Listed; finding: Finding },
): Promise<JsonObject | undefined> {
  const { item, searched } = finding;
  if (!item) {
    if (searched === undefined) return undefined;
    const where = searched === 'all' ? `in the list of ${group}` : `among the first ${ITEMS_LIMIT} ${group}`;
    return { note: `No ${toSingular(group)} with this id is ${where}.` };
  }
  const about = wholeItem(item, toSingular(group));
  const { document_id } = item;
  const document = typeof document_id === 'string' ? await readDocument(context, document_id) : undefined;
  return document ? { ...about, document } : about;
}

/** A document's plain fields, above all its name; undefined where it can't be read. */
export async function readDocument(
  { client, options }: ToolContext,
  id: string,
): Promise<JsonObject | undefined> {
  try {
    return projected(
      await client.documents.get({ id }, { ...bounded(options), deadlineMs: 4000 }),
      'document',
    );
  } catch {
    if (options.signal?.aborted) throw options.signal.reason;
    return undefined;
  }
}

function bounded(options: ToolContext['options']): ToolContext['options'] {
  return { ...options, deadlineMs: 8000, maxWaitMs: 3000 };
}

function toSingular(group: Listed): string {
  return group.replace(/s$/, '');
}

/** All of an object, since a recipient that a preview leaves out is one that nobody agreed to; bounded only by its size. */
function wholeItem(item: JsonObject, resource: string): JsonObject {
  const clean = withoutNulls(withoutSecrets(item, [])) as JsonObject;
  const { data, cut } = fitted(identified(clean, resource), TOKENS_LIMIT);
  return cut ? { ...data, note: 'Long: cut in this preview.' } : data;
}
