import type { Operation } from '../../src/operations/operation.ts';
import { REJECTION_KINDS, type RejectionKind, type ServiceProfile } from '../../src/profile/format.ts';
import { seenBy, toOpenApiResponse } from './answers.ts';
import { createExample, type Json, known, toJsonSchema } from './form.ts';

const MEANS: Readonly<Record<RejectionKind, string>> = {
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
const OF_OTHERS: readonly RejectionKind[] = ['noRoute', 'wrongMethod'];

/** The refusals of an operation by status; `default` says what the document does: no more than that there are some (§7). */
export function getErrorResponses(
  operation: Operation,
  profile: ServiceProfile | undefined,
): Record<string, Json> {
  const writes = operation.effect !== 'read' && operation.effect !== 'delete';
  const isPossible = (kind: RejectionKind) =>
    (kind !== 'unknownId' || operation.route.includes('{')) &&
    ((kind !== 'badBody' && kind !== 'conflict') || writes) &&
    !OF_OTHERS.includes(kind);
  const seen = REJECTION_KINDS.flatMap((kind) => {
    const answer = isPossible(kind) ? profile?.refusals[kind] : undefined;
    return answer && answer.status >= 300 && answer.status <= 599 ? [{ kind, answer }] : [];
  });
  const byStatus = Map.groupBy(seen, ({ answer }) => answer.status);
  const told = [...byStatus].map(([status, several]): [string, Json] => {
    const [first] = several;
    const one = first ? toOpenApiResponse(first.answer, undefined) : {};
    const words = several.map(({ kind }) => MEANS[kind]).join('; ');
    return [
      String(status),
      {
        ...one,
        description: `${String(one['description'])}: ${words}`,
        content: mergeContent(several.map(({ answer }) => answer)),
        ...known(several.some(({ answer }) => seenBy(answer) === 'seen') ? 'seen' : 'concluded'),
      },
    ];
  });
  const description =
    'A failure: its status is no 2xx, and it carries a text. Which form it has is not shown.';
  return {
    ...Object.fromEntries(told),
    default: { description, ...known('documented', { body: 'unknown' }) },
  };
}

/** Several kinds may share a status and have bodies of their own. */
function mergeContent(answers: readonly NonNullable<ServiceProfile['refusals'][RejectionKind]>[]): Json {
  const content: Record<string, Json> = {};
  for (const answer of answers) {
    const [media = 'text/plain'] = Object.keys(
      (toOpenApiResponse(answer, undefined)['content'] ?? {}) as Json,
    );
    const schema = answer.body ? toJsonSchema(answer.body) : { type: 'string' };
    const before = (content[media]?.['schema'] as Json | undefined)?.['anyOf'] as Json[] | undefined;
    const schemas = [...(before ?? []), schema].filter(
      (one, at, all) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at,
    );
    const example = answer.body ? createExample(answer.body) : {};
    content[media] = { ...example, ...content[media], schema: { anyOf: schemas } };
  }
  return Object.fromEntries(
    Object.entries(content).map(([media, one]) => {
      const [only, ...more] = (one['schema'] as { anyOf: Json[] }).anyOf;
      return [media, more.length > 0 ? one : { ...one, schema: only }];
    }),
  );
}
