import { operations } from '../../src/operations/index.ts';
import type { RejectionKind, ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { SCOPE_ERROR_TEXT } from '../assumptions.ts';
import type { RecordedResponse } from '../probes/session.ts';
import { mergeResponseShapes, toResponseShape } from './response-shape.ts';

/** The refusals that were brought about, and those that met the learner. */
export function inferRejections(responses: readonly RecordedResponse[]): ServiceProfile['rejections'] {
  const found: Partial<Record<RejectionKind, ResponseShape>> = {};
  const addRejection = (kind: RejectionKind, shape: ResponseShape) => {
    const known = found[kind];
    // What was seen of a body stands before what was concluded from a query.
    if (known && shape.seen === 0) return;
    found[kind] =
      known && known.seen > 0 && known.status === shape.status
        ? mergeResponseShapes(known, shape)
        : known?.seen
          ? known
          : shape;
  };
  for (const response of responses) {
    // An accident of the service is no refusal; 501 is said of a method that it does not have.
    if (response.status < 400 || (response.status >= 500 && response.status !== 501)) continue;
    const { expected, method } = response.request;
    if (expected === 'badBody' && method === 'GET')
      addRejection(expected, { ...toResponseShape(response), seen: 0 });
    else if (expected !== undefined && expected !== 'page') addRejection(expected, toResponseShape(response));
  }
  for (const response of findMissingScopeResponses(responses))
    addRejection('missingScope', toResponseShape(response));
  return found;
}

/** Answers by which the service says that the key lacks a scope: others with the same key were granted. */
export function findMissingScopeResponses(responses: readonly RecordedResponse[]): RecordedResponse[] {
  if (!responses.some(({ ok, request }) => ok && request.key === undefined)) return [];
  return responses.filter(
    ({ status, request, text, route = request.route }: RecordedResponse & { route?: string }) => {
      if (request.operation === undefined || request.expected !== undefined) return false;
      if (status === 401 || status === 403) return true;
      // Some hide what a key may not see.
      return status === 404 && !route.includes('{') && SCOPE_ERROR_TEXT.test(text);
    },
  );
}

/** Scopes that the key was seen to have, and to lack. */
export function inferScopes(responses: readonly RecordedResponse[]): ServiceProfile['scopes'] {
  const getScope = ({ request }: RecordedResponse) =>
    operations.find(({ name }) => name === request.operation)?.operation.scope;
  const collectScopes = (some: readonly RecordedResponse[]) =>
    new Set(some.map(getScope).filter((scope): scope is Scope => scope !== undefined));
  const granted = collectScopes(
    responses.filter(
      ({ ok, status, request }) => (ok || (status >= 300 && status < 400)) && request.expected === undefined,
    ),
  );
  const missing = collectScopes(findMissingScopeResponses(responses));
  return {
    granted: SCOPES.filter((scope) => granted.has(scope)),
    missing: SCOPES.filter((scope) => missing.has(scope) && !granted.has(scope)),
  };
}
