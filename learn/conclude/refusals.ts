import { operations } from '../../src/operations/index.ts';
import type { RejectionKind, ResponseShape, ServiceProfile } from '../../src/profile/format.ts';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { SAYS_SCOPE } from '../assumptions.ts';
import type { Answer } from '../wire/session.ts';
import { formOfAnswer, mergeAnswers } from './answers.ts';

/** The refusals that were brought about, and those that met the learner. */
export function concludeRefusals(answers: readonly Answer[]): ServiceProfile['refusals'] {
  const found: Partial<Record<RejectionKind, ResponseShape>> = {};
  const add = (kind: RejectionKind, form: ResponseShape) => {
    const known = found[kind];
    // What was seen of a body stands before what was concluded from a query.
    if (known && form.seen === 0) return;
    found[kind] =
      known && known.seen > 0 && known.status === form.status
        ? mergeAnswers(known, form)
        : known?.seen
          ? known
          : form;
  };
  for (const answer of answers) {
    // An accident of the service is no refusal; 501 is said of a method that it does not have.
    if (answer.status < 400 || (answer.status >= 500 && answer.status !== 501)) continue;
    const { as, method } = answer.asked;
    if (as === 'badBody' && method === 'GET') add(as, { ...formOfAnswer(answer), seen: 0 });
    else if (as !== undefined && as !== 'page') add(as, formOfAnswer(answer));
  }
  for (const answer of lackingScope(answers)) add('missingScope', formOfAnswer(answer));
  return found;
}

/** Answers by which the service says that the key lacks a scope: others with the same key were granted. */
export function lackingScope(answers: readonly Answer[]): Answer[] {
  if (!answers.some(({ ok, asked }) => ok && asked.key === undefined)) return [];
  return answers.filter(({ status, asked, text, route = asked.route }: Answer & { route?: string }) => {
    if (asked.operation === undefined || asked.as !== undefined) return false;
    if (status === 401 || status === 403) return true;
    // Some hide what a key may not see.
    return status === 404 && !route.includes('{') && SAYS_SCOPE.test(text);
  });
}

/** Scopes that the key was seen to have, and to lack. */
export function concludeScopes(answers: readonly Answer[]): ServiceProfile['scopes'] {
  const getScope = ({ asked }: Answer) =>
    operations.find(({ name }) => name === asked.operation)?.operation.scope;
  const all = (some: readonly Answer[]) =>
    new Set(some.map(getScope).filter((scope): scope is Scope => scope !== undefined));
  const granted = all(
    answers.filter(
      ({ ok, status, asked }) => (ok || (status >= 300 && status < 400)) && asked.as === undefined,
    ),
  );
  const missing = all(lackingScope(answers));
  return {
    granted: SCOPES.filter((scope) => granted.has(scope)),
    missing: SCOPES.filter((scope) => missing.has(scope) && !granted.has(scope)),
  };
}
