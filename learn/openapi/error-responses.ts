import type { Operation } from '../../src/operations/operation.ts';
import {
  REJECTION_KINDS,
  type RejectionKind,
  type ServiceProfile,
} from '../../src/profile/service-profile.ts';
import { createExample, type Json, known, toJsonSchema } from './json-schema.ts';
import { getProvenance, toOpenApiResponse } from './success-responses.ts';

const REJECTION_DESCRIPTIONS: Readonly<Record<RejectionKind, string>> = {
  noKey: 'no API key',
  wrongKey: 'a key that is none',
  missingScope: 'a key without the scope',
  unknownId: 'an id of no object',
  badBody: 'a body that is not taken',
  conflict: 'a conflict with what is there',
  noRoute: 'no such address',
  wrongMethod: 'another method',
  limited: 'more than the limit allows',
};

/** What a documented operation can't answer. */
const UNDOCUMENTED_KINDS: readonly RejectionKind[] = ['noRoute', 'wrongMethod'];

/** The refusals of an operation by status; `default` says what the document does: no more than that there are some (§7). */
export function getErrorResponses(
  operation: Operation,
  profile: ServiceProfile | undefined,
): Record<string, Json> {
  const writes = operation.effect !== 'read' && operation.effect !== 'delete';
  const isPossible = (kind: RejectionKind) =>
    (kind !== 'unknownId' || operation.route.includes('{')) &&
    ((kind !== 'badBody' && kind !== 'conflict') || writes) &&
    !UNDOCUMENTED_KINDS.includes(kind);
  const seen = REJECTION_KINDS.flatMap((kind) => {
    const response = isPossible(kind) ? profile?.rejections[kind] : undefined;
    return response && response.status >= 300 && response.status <= 599 ? [{ kind, response }] : [];
  });
  const byStatus = Map.groupBy(seen, ({ response }) => response.status);
  const errorResponses = [...byStatus].map(([status, several]): [string, Json] => {
    const [first] = several;
    const one = first ? toOpenApiResponse(first.response, undefined) : {};
    const meanings = several.map(({ kind }) => REJECTION_DESCRIPTIONS[kind]).join('; ');
    return [
      String(status),
      {
        ...one,
        description: `${String(one['description'])}: ${meanings}`,
        content: mergeContent(several.map(({ response }) => response)),
        ...known(several.some(({ response }) => getProvenance(response) === 'seen') ? 'seen' : 'concluded'),
      },
    ];
  });
  const description =
    'A failure: its status is no 2xx, and it carries a text. Which form it has is not shown.';
  return {
    ...Object.fromEntries(errorResponses),
    default: { description, ...known('documented', { body: 'unknown' }) },
  };
}

/** Several kinds may share a status and have bodies of their own. */
function mergeContent(responses: readonly NonNullable<ServiceProfile['rejections'][RejectionKind]>[]): Json {
  const content: Record<string, Json> = {};
  for (const response of responses) {
    const [media = 'text/plain'] = Object.keys(
      (toOpenApiResponse(response, undefined)['content'] ?? {}) as Json,
    );
    const schema = response.body ? toJsonSchema(response.body) : { type: 'string' };
    const before = (content[media]?.['schema'] as Json | undefined)?.['anyOf'] as Json[] | undefined;
    const schemas = [...(before ?? []), schema].filter(
      (one, at, all) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at,
    );
    const example = response.body ? createExample(response.body) : {};
    content[media] = { ...example, ...content[media], schema: { anyOf: schemas } };
  }
  return Object.fromEntries(
    Object.entries(content).map(([media, one]) => {
      const [only, ...more] = (one['schema'] as { anyOf: Json[] }).anyOf;
      return [media, more.length > 0 ? one : { ...one, schema: only }];
    }),
  );
}
