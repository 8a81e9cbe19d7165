import { isObject } from '../../src/answer/fields.ts';
import { operations } from '../../src/operations/index.ts';
import { getResourceName } from '../../src/profile/fields.ts';
import type { ServiceProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { isOfConnection } from '../conclude/answers.ts';
import { type IsOwn, isOwnHeader, isOwnParam } from '../conclude/own-names.ts';
import { isFieldName } from '../form/field-names.ts';
import type { Answer } from '../wire/session.ts';

/** Why a name does not stand in the profile. */
export type Reason = 'map' | 'writing' | 'words';

/** How many names of one kind of object were left out, by the reason; never which. */
export interface LeftOut {
  /** A resource as the profile names it, `refusals`, `headers` or `parameters`. */
  readonly of: string;
  readonly counts: Readonly<Record<Reason, number>>;
}

const REASONS: readonly Reason[] = ['words', 'writing', 'map'];
const MAX_ENTRIES = 200;
const DEEPEST = 10;

/** Compares what came with what was kept, in memory alone. */
export function leftOut(learned: {
  readonly profile: ServiceProfile;
  readonly answers: readonly Answer[];
  readonly isOwn: IsOwn;
}): LeftOut[] {
  const { profile, answers, isOwn } = learned;
  const found = new Map<string, Map<string, Reason>>();
  const addTo = (of: string) => {
    const names = found.get(of) ?? new Map<string, Reason>();
    found.set(of, names);
    return (name: string, reason: Reason) => void names.set(name, names.get(name) ?? reason);
  };
  const getReason = (name: string): Reason => (isOwn(name) ? 'map' : isFieldName(name) ? 'words' : 'writing');
  for (const { json, ok, asked, headers } of answers) {
    const { operation, as } = asked;
    const resource = operation && getResourceName(operation);
    const kept = ok
      ? operation && profile.operations[operation]?.answer?.body
      : profile.refusals[as === undefined || as === 'page' ? 'missingScope' : as]?.body;
    // What an operation answers that is called for its refusal is no form of anything.
    if (json !== undefined && (ok ? operation !== undefined : true))
      compare(json, kept ?? {}, { add: addTo(ok ? (resource ?? '') : 'refusals'), getReason, depth: 0 });
    const others = Object.keys(headers).filter((name) => !isOfConnection(name) && !isOwnHeader(name, isOwn));
    for (const name of others) addTo('headers')(name, isFieldName(name) ? 'words' : 'writing');
    for (const name of Object.keys(asked.query ?? {}))
      if (!isOwnParam(name, isOwn)) addTo('parameters')(name, isFieldName(name) ? 'words' : 'writing');
  }
  const order = [...operations.map(({ name }) => getResourceName(name)), 'refusals', 'headers', 'parameters'];
  return [...new Set(order)].flatMap((of) => {
    const reasons = [...(found.get(of)?.values() ?? [])];
    const count = (reason: Reason) => reasons.filter((one) => one === reason).length;
    const counts = { words: count('words'), writing: count('writing'), map: count('map') };
    return reasons.length > 0 ? [{ of, counts }] : [];
  });
}

interface Place {
  readonly add: (name: string, reason: Reason) => void;
  readonly getReason: (name: string) => Reason;
  readonly depth: number;
}

function compare(value: unknown, kept: Schema, place: Place): void {
  if (place.depth > DEEPEST) return;
  const below = { ...place, depth: place.depth + 1 };
  if (Array.isArray(value))
    for (const entry of value.slice(0, MAX_ENTRIES)) compare(entry, kept.items ?? {}, below);
  if (!isObject(value)) return;
  const { properties } = kept;
  for (const [name, inner] of Object.entries(value)) {
    const form = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!form) place.add(name, properties ? place.getReason(name) : 'map');
    compare(inner, form ?? kept.additionalProperties ?? {}, below);
  }
}

const WORDS: Readonly<Record<Reason, string>> = {
  words: 'with words that APIs do not use',
  writing: 'not written as names of fields',
  map: 'keys of maps or rare',
};

/** `3 with words that APIs do not use, 12 keys of maps or rare`. */
export function reasonsInWords({ counts }: LeftOut): string {
  return REASONS.flatMap((reason) => (counts[reason] > 0 ? [`${counts[reason]} ${WORDS[reason]}`] : [])).join(
    ', ',
  );
}

export function sumCounts(left: readonly LeftOut[], reasons: readonly Reason[] = REASONS): number {
  return left.reduce((sum, { counts }) => sum + reasons.reduce((all, reason) => all + counts[reason], 0), 0);
}

/** What it means and what to do, for the report and the console. */
export function aboutLeftOut(left: readonly LeftOut[], { names }: ServiceProfile['learned']): string {
  const isKept = names === 'kept';
  const sum = sumCounts(left);
  const [were, them, ifTheirs] =
    sum === 1
      ? ['name was', 'it', 'it is the service’s, --keep-names keeps it']
      : [
          'names were',
          'them',
          'they are the service’s, --keep-names keeps those that are written as names of fields',
        ];
  const more = sumCounts(left, ['words']) > 0 ? ` If ${ifTheirs}.` : '';
  const kept = isKept ? 'Names of whatever words were kept, because of --keep-names. ' : '';
  return left.length === 0
    ? `${kept}No other name was left out.`.replace(isKept ? '' : 'other ', '')
    : `${kept}${sum} ${were} left out, since people of the account may have given ${them}.${more}`;
}
