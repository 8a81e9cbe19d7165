import { ID_FIELDS } from '../../src/assumptions/index.ts';
import { type NamedOperation, operations } from '../../src/operations/index.ts';
import { valueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { OperationProfile, ServiceProfile } from '../../src/profile/service-profile.ts';
import { plainName } from './form-paths.ts';
import { mostOf } from './most.ts';
import { schemaAt } from './schema-at.ts';

const IDS = new Set(ID_FIELDS.map(plainName));

function hasId(schema: Schema | undefined): boolean {
  return Object.keys(schema?.properties ?? {}).some((name) => IDS.has(plainName(name)));
}

/**
 * Where an answer holds its one object: as learned; where that names the whole answer and the whole has no id, in the one
 * object within that has one; else where most answers hold theirs.
 */
export function getItemPath(serviceProfile: ServiceProfile, called: OperationProfile): readonly string[] {
  const { item, answer } = called;
  const body = answer?.body;
  if (item && item.length > 0) return item;
  if (!body || hasId(body)) return item ?? [];
  const within = Object.entries(body.properties ?? {}).filter(([, field]) =>
    valueTypes(field).includes('object'),
  );
  const withId = within.filter(([, field]) => hasId(field)).map(([name]) => name);
  if (withId.length === 1) return withId;
  const usual =
    mostOf(Object.values(serviceProfile.operations).map((one) => one && usualPlace(one)))?.split('\n') ?? [];
  return schemaAt(body, usual)?.properties ? usual : [];
}

function usualPlace({ item, answer }: OperationProfile): string | undefined {
  if (item && item.length > 0) return item.join('\n');
  const within = Object.entries(answer?.body?.properties ?? {}).filter(([, field]) => hasId(field));
  return hasId(answer?.body) || within.length !== 1 ? undefined : within[0]?.[0];
}

/**
 * What is known of an operation; of one that nobody called, such as a send, what is likely: the status and headers of
 * changes to the same kind of object, or of any changes, and the form of its group's objects.
 */
export function knownOf(serviceProfile: ServiceProfile, named: NamedOperation): OperationProfile | undefined {
  const called = serviceProfile.operations[named.name];
  if (called?.answer || named.operation.responseKind !== 'item') return called;
  const { effect } = named.operation;
  if (effect === 'read') return called;
  const seen = operations.flatMap(({ name, group, operation }) => {
    const one = serviceProfile.operations[name];
    return one?.answer && operation.responseKind === 'item'
      ? [{ group, effect: operation.effect, one, answer: one.answer }]
      : [];
  });
  const own = seen.filter(({ group }) => group === named.group);
  const kinds = effect === 'send' ? ['send', 'update'] : [effect];
  const kin = [...own, ...seen].find((one) => kinds.includes(one.effect));
  if (!kin) return called;
  const whole = own.find(({ answer }) => hasObject(answer.body));
  if (!kin.answer.body) return { ...called, ...kin.one };
  // Another kind of object says nothing of this one's fields.
  if (!whole) return called;
  const { status, headers } = kin.answer;
  return { ...called, ...whole.one, answer: { ...whole.answer, status, headers } };
}

function hasObject(body: Schema | undefined): boolean {
  return hasId(body) || Object.values(body?.properties ?? {}).some(hasId);
}
