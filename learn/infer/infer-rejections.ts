import { operations } from '../../src/operations/index.ts';
import type { RejectionKind, ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { SCOPE_ERROR_PATTERN } from '../assumptions.ts';
import type { RecordedResponse } from '../probes/session.ts';
import { mergeResponseShapes, toResponseShape } from './response-shape.ts';

/** Infers the format of the errors that were provoked or encountered. */
export function inferRejections(responses: readonly RecordedResponse[]): ServiceProfile['rejections'] {
  const found: Partial<Record<RejectionKind, ResponseShape>> = {};
  const addRejection = (kind: RejectionKind, shape: ResponseShape) => {
    const known = found[kind];
    found[kind] = known?.status === shape.status ? mergeResponseShapes(known, shape) : (known ?? shape);
  };
  for (const response of responses) {
    // A server error is not a rejection, except 501 for an unsupported method.
    if (response.status < 400 || (response.status >= 500 && response.status !== 501)) continue;
    const { expected } = response.request;
    if (expected !== undefined && expected !== 'page') addRejection(expected, toResponseShape(response));
  }
  for (const response of findMissingScopeResponses(responses)) addRejection('missingScope', toResponseShape(response));
  return found;
}

/** Returns the responses that mean a missing scope. The key itself is valid if another call with it succeeded. */
function findMissingScopeResponses(responses: readonly RecordedResponse[]): RecordedResponse[] {
  if (!responses.some(({ ok, request }) => ok && request.key === undefined)) return [];
  return responses.filter(({ status, request, text }) => {
    if (request.operation === undefined || request.expected !== undefined) return false;
    if (status === 401 || status === 403) return true;
    // Some services return 404 for objects that the key may not read.
    return status === 404 && !request.route.includes('{') && SCOPE_ERROR_PATTERN.test(text);
  });
}

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
