import { operations } from '../../src/operations/index.ts';
import type { Effect, Operation } from '../../src/operations/operation.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { OperationProfile, ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { getExtraFields } from '../http/object-answer.ts';
import { DEFAULT_PROFILE, type SandboxProfile } from '../profile/switches.ts';
import { plainName } from './form-paths.ts';
import { mostOf } from './most.ts';
import { schemaAt } from './schema-at.ts';
import { settingOf } from './setting-of.ts';

interface Seen {
  readonly operation: Operation;
  readonly called: OperationProfile;
  readonly answer: ResponseShape;
  /** The form of the one object, or of an entry. */
  readonly item: Schema | undefined;
}

/** The settings that say how objects are given and writes answered (§2, §4), as far as answers were seen. */
export function nearestAnswers(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  const seen = operations.flatMap(({ name, operation }): Seen[] => {
    const called = serviceProfile.operations[name];
    return called?.answer ? [{ operation, called, answer: called.answer, item: itemOf(called) }] : [];
  });
  const of = (...effects: readonly Effect[]) =>
    seen.filter(({ operation }) => effects.includes(operation.effect));
  const free = of('create').filter(({ operation }) => operation.output.safeParse({}).success);
  const written = mostOf(free.map(writtenOf));
  const reads = of('read');
  return {
    ...settingOf('item', wrappingOf(reads)),
    ...settingOf(
      'contentType',
      mostOf(reads.map(({ answer }) => answer.contentType ?? answer.media ?? undefined)),
    ),
    ...settingOf('extras', extrasOf(seen)),
    ...settingOf('created', mostOf(of('create').map(createdOf))),
    ...settingOf('createdBody', mostOf(free.map(createdBodyOf))),
    ...settingOf(
      'updated',
      written === 'object' || free.length === 0 ? mostOf(of('update', 'send').map(updatedOf)) : undefined,
    ),
    ...settingOf('deleted', mostOf(of('delete').map(({ answer }) => emptyOr(answer, 'object-200')))),
    ...settingOf('written', written),
  };
}

function itemOf({ answer, list, item }: OperationProfile): Schema | undefined {
  const whole = answer?.body;
  return list ? schemaAt(whole, list.at)?.items : schemaAt(whole, item ?? []);
}

/** What does not wrap any read wraps none; a field that the document promises keeps single ones from being wrapped. */
function wrappingOf(reads: readonly Seen[]): string | undefined {
  const items = reads.filter(({ operation, answer }) => operation.responseKind === 'item' && answer.body);
  if (items.length === 0) return undefined;
  const wraps = mostOf(items.map(({ called }) => called.item?.at(-1)));
  if (wraps === undefined) return 'plain';
  return plainName(wraps) === 'data' ? 'data' : 'named';
}

function extrasOf(seen: readonly Seen[]): string | undefined {
  const named = (extras: SandboxProfile['extras']) =>
    Object.keys(getExtraFields({ object: 'record' }, { ...DEFAULT_PROFILE, extras })).map(plainName);
  const [some, many] = [named('some'), named('many')];
  const items = seen.flatMap(({ item }) =>
    item?.properties ? [new Set(Object.keys(item.properties).map(plainName))] : [],
  );
  if (items.length === 0) return undefined;
  const has = (names: readonly string[]) => items.some((item) => names.every((name) => item.has(name)));
  return has(many.filter((name) => /^(revision|etag)$/.test(name))) ? 'many' : has(some) ? 'some' : 'none';
}

function isText({ media }: ResponseShape): boolean {
  return media?.startsWith('text/') === true;
}

/** A creation by its status, unless it is one that says no more than that it is done. */
function createdOf({ answer }: Seen): string | undefined {
  return answer.body && !isText(answer) && typesOf(answer.body).includes('object')
    ? `${answer.status}`
    : undefined;
}

function createdBodyOf({ answer: { body } }: Seen): string | undefined {
  if (!body?.properties) return undefined;
  const rest = Object.keys(body.properties).filter(
    (name) => !/^(id|object|secret|signing_?secret)$/i.test(name),
  );
  return rest.length === 0 ? 'id' : 'object';
}

function updatedOf({ answer }: Seen): string | undefined {
  const names = Object.keys(answer.body?.properties ?? {});
  return names.length === 1 && names[0]?.toLowerCase() === 'ok' ? 'ok' : emptyOr(answer, 'object');
}

function emptyOr({ status, body, media }: ResponseShape, filled: string): string | undefined {
  if (body) return filled;
  return media === null ? `empty-${status}` : undefined;
}

function writtenOf({ answer }: Seen): string | undefined {
  if (isText(answer)) return answer.status === 202 ? 'queued' : 'text';
  if (!answer.body) return answer.media === null ? 'empty' : 'cut';
  const types = typesOf(answer.body);
  return types.includes('array') ? 'list' : types.includes('object') ? 'object' : 'scalar';
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}
