import type { Operation } from '../../src/operations/operation.ts';
import {
  REJECTION_KINDS,
  type RejectionKind,
  type ResponseShape,
  type ServiceProfile,
} from '../../src/profile/service-profile.ts';
import { REJECTION_LABELS } from '../questions/evaluate.ts';
import { createExample, createProvenance, type Json, toJsonSchema } from './json-schema.ts';
import { getProvenance, toOpenApiResponse } from './success-responses.ts';

/** Errors that a documented operation can't return. */
const UNDOCUMENTED_KINDS: readonly RejectionKind[] = ['noRoute', 'wrongMethod'];

/** Returns the errors of an operation by status. `default` covers the others, whose format §7 does not show. */
export function getErrorResponses(operation: Operation, profile: ServiceProfile | undefined): Record<string, Json> {
  const writes = operation.effect !== 'read' && operation.effect !== 'delete';
  const isPossible = (kind: RejectionKind) =>
    (kind !== 'unknownId' || operation.route.includes('{')) &&
    ((kind !== 'badBody' && kind !== 'conflict') || writes) &&
    (kind !== 'badQuery' || !writes) &&
    !UNDOCUMENTED_KINDS.includes(kind);
  const seen = REJECTION_KINDS.flatMap((kind) => {
    const response = isPossible(kind) ? profile?.rejections[kind] : undefined;
    return response ? [{ kind, response }] : [];
  });
  const byStatus = Map.groupBy(seen, ({ response }) => response.status);
  const errorResponses = [...byStatus].map(([status, several]): [string, Json] => {
    const [first] = several;
    const one = first ? toOpenApiResponse(first.response, undefined) : {};
    const meanings = several.map(({ kind }) => REJECTION_LABELS[kind]).join('; ');
    return [
      String(status),
      {
        ...one,
        description: `${String(one['description'])}: ${meanings}`,
        content: mergeContent(several.map(({ response }) => response)),
        ...createProvenance(
          several.some(({ response }) => getProvenance(response) === 'observed') ? 'observed' : 'inferred',
        ),
      },
    ];
  });
  const description = 'An error: the status is not 2xx and there is a message. Its format is not documented.';
  return {
    ...Object.fromEntries(errorResponses),
    default: { description, ...createProvenance('documented', { body: 'unknown' }) },
  };
}

/** Merges the bodies of error kinds that share a status. */
function mergeContent(responses: readonly ResponseShape[]): Json {
  const getMediaType = (response: ResponseShape) =>
    Object.keys((toOpenApiResponse(response, undefined)['content'] ?? {}) as Json)[0] ?? 'text/plain';
  const content = [...Map.groupBy(responses, getMediaType)].map(([media, several]) => {
    const schemas = several.map(({ body }) => (body ? toJsonSchema(body) : { type: 'string' }));
    const [first, ...others] = new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values();
    const example = several.find(({ body }) => body)?.body;
    const schema = others.length > 0 ? { anyOf: [first, ...others] } : first;
    return [media, { ...(example ? createExample(example) : {}), schema }];
  });
  return Object.fromEntries(content);
}
