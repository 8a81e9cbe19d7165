import type { JsonObject } from '../../src/answer/fields.ts';
import { idOf } from '../../src/answer/fields.ts';
import type { Group } from '../../src/index.ts';
import { fitted } from '../answer/budget.ts';
import { identified, withoutNulls } from '../answer/projection.ts';
import { withoutSecrets } from '../answer/secrets.ts';
import type { ToolContext } from '../contract/tool.ts';

const ITEMS_LIMIT = 500;
const TOKENS_LIMIT = 3000;

/** Groups whose single objects the API does not give: they are found in their lists. */
type Listed = Extract<Group, 'links' | 'rooms' | 'agreements' | 'proposals' | 'webhooks' | 'templates'>;

/** What an act is about, for its preview. Bounded in time and size; whatever fails, the preview does without. */
export function lookUp(group: Listed, id: string) {
  return async ({ client, options }: ToolContext): Promise<JsonObject | undefined> => {
    const resource = group.replace(/s$/, '');
    try {
      let seen = 0;
      const bounded = { ...options, deadlineMs: 8000, maxWaitMs: 3000 };
      for await (const item of client[group].list({}, bounded)) {
        if (idOf(item, resource) === id) return wholeItem(item, resource);
        seen += 1;
        if (seen >= ITEMS_LIMIT) break;
      }
      return { note: `No ${resource} with this id is in the list of ${group}.` };
    } catch {
      if (options.signal?.aborted) throw options.signal.reason;
      return undefined;
    }
  };
}

/** All of an object, since a recipient that a preview leaves out is one that nobody agreed to; bounded only by its size. */
function wholeItem(item: JsonObject, resource: string): JsonObject {
  const clean = withoutNulls(withoutSecrets(item, [])) as JsonObject;
  const { data, cut } = fitted(identified(clean, resource), TOKENS_LIMIT);
  return cut ? { ...data, note: 'Long: cut in this preview.' } : data;
}
