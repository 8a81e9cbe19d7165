import type { LearnedProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { formOfAnswer } from '../conclude/answers.ts';
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
const OWN_VALUE =
  /^(?:\d{1,4}|none|asc|desc|-?(?:created|updated)_at|docshare-learn[\w-]*|2099-01-01T00:00:00Z)$/;

/** `names`: those that the profile has; another is shown as one that people may have given. */
export function evidenceOf(answer: Answer, names: ReadonlySet<string>): Evidence {
  const { n, asked, status } = answer;
  const query = Object.entries(asked.query ?? {}).map(
    ([name, value]) => `${name}=${OWN_VALUE.test(String(value)) ? value : '<…>'}`,
  );
  const path = `${asked.route}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const key = asked.key === 'none' ? 'without a key' : asked.key === 'wrong' ? 'with a wrong key' : '';
  const form = formOfAnswer(answer);
  const headers = Object.entries(form.headers).map(([name, schema]) => `${name}: ${outline(schema)}`);
  const type = form.media === null ? [] : [`content-type: ${form.contentType ?? form.media}`];
  const body = form.body
    ? ['', outline(form.body, names)]
    : form.media === null
      ? []
      : ['', '<body that is no JSON>'];
  return {
    n,
    topic: asked.topic,
    request: [`${asked.method} ${path}`, key].filter(Boolean).join('  '),
    answer: [`${status}`, ...type, ...headers, ...body].join('\n'),
  };
}

/** All names of fields that stand in a profile. */
export function namesOf({ operations, resources, refusals, facts }: LearnedProfile): ReadonlySet<string> {
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
