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

export function evidenceOf(answer: Answer): Evidence {
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
    ? ['', outline(form.body)]
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
