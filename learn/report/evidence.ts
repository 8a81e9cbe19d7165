import { normalizeName } from '../../src/answer/fields.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../../src/assumptions/index.ts';
import type { ServiceProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { SIZE_PARAMS } from '../assumptions.ts';
import { formOfAnswer } from '../conclude/answers.ts';
import { type IsOwn, isOwnHeader, isOwnParam, ownAnswer } from '../conclude/own-names.ts';
import { outline } from '../form/outline.ts';
import type { Answer } from '../wire/session.ts';

/** A request and its answer as forms: never a value of the account, never a key. */
export interface Evidence {
  readonly n: number;
  readonly topic: string;
  readonly request: string;
  readonly answer: string;
}

/** What the learner itself made up, and may show. */
const OWN_VALUE = /^(?:none|asc|desc|-?(?:created|updated)_at|docshare-learn[\w-]*|2099-01-01T00:00:00Z)$/;
/** A number under another name may be anybody's. */
const NUMBERED = new Set([...SIZE_PARAMS, ...PAGE_PARAMS, ...OFFSET_PARAMS].map(normalizeName));

/** `names`: those that the profile has; another is shown as one that people may have given. */
export function createEvidence(
  answer: Answer,
  { names, isOwn }: { names: ReadonlySet<string>; isOwn: IsOwn },
): Evidence {
  const { n, asked, status } = answer;
  const query = Object.entries(asked.query ?? {}).map(([name, value]) => {
    const isOurs =
      OWN_VALUE.test(`${value}`) || (NUMBERED.has(normalizeName(name)) && /^\d{1,4}$/.test(`${value}`));
    return `${isOwnParam(name, isOwn) ? name : '<name>'}=${isOurs ? value : '<…>'}`;
  });
  const path = `${asked.route}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const key = asked.key === 'none' ? 'without a key' : asked.key === 'wrong' ? 'with a wrong key' : '';
  const form = formOfAnswer(answer);
  const own = ownAnswer(form, isOwn);
  const headers = Object.entries(form.headers).map(
    ([name, schema]) => `${isOwnHeader(name, isOwn) ? name : '<name>'}: ${outline(schema)}`,
  );
  const type = form.media === null ? [] : [`content-type: ${own.contentType ?? own.media}`];
  const body = form.body
    ? ['', outline(form.body, names)]
    : form.media === null
      ? []
      : ['', answer.whole ? '<body that is no JSON>' : '<body longer than is read>'];
  return {
    n,
    topic: asked.topic,
    request: [`${asked.method} ${path}`, key].filter(Boolean).join('  '),
    answer: [`${status}`, ...type, ...headers, ...body].join('\n'),
  };
}

/** All names of fields that stand in a profile. */
export function collectFieldNames({
  operations,
  resources,
  refusals,
  facts,
}: ServiceProfile): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (schema: Schema | undefined): void => {
    if (!schema) return;
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      names.add(name);
      add(field);
    }
    add(schema.items);
    add(schema.additionalProperties);
  };
  for (const one of Object.values(operations)) add(one?.answer?.body);
  for (const one of Object.values(refusals)) add(one?.body);
  for (const one of Object.values(resources)) add(one);
  add(facts.event?.body);
  return names;
}
