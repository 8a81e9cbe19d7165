import { isObject } from '../../src/answer/fields.ts';
import { isSecretName } from '../../src/assumptions/secret-names.ts';
import {
  getObservedObjectFields,
  getWritableFields,
  type WritableField,
} from '../../src/assumptions/writable.ts';
import { suggestName } from '../../src/call/near-name.ts';
import type { OperationName } from '../../src/index.ts';
import type { Schema, ServiceProfile } from '../../src/profile/format.ts';
import { nearest } from '../nearest.ts';
import { ToolError } from '../tool-error.ts';
import type { LearnedArgument } from './learned-arguments.ts';
import { getObservedFields } from './learned-shown.ts';
import { mismatch } from './mismatch.ts';

/** What a profile knows of the names in one argument of a tool. */
export interface Learned {
  readonly argument: LearnedArgument;
  /** The surest first. */
  readonly names: readonly LearnedName[];
  /** Names that pass besides: those that answers show and bodies hardly set, and those of pages. */
  readonly passing: ReadonlySet<string>;
  /**
   * Whether an object of this kind was seen, so that a name which no answer showed is one the service likely lacks. Else
   * all that is known is what a learner sent, and only slips of those names are refused.
   */
  readonly whole: boolean;
  /** Parameters that the service was seen to refuse. */
  readonly refused: ReadonlySet<string>;
  /** Fields that answers showed since, and those that came with another type: what an answer says counts. */
  readonly shown: { readonly names: ReadonlySet<string>; readonly doubted: ReadonlySet<string> };
}

export interface LearnedName {
  readonly name: string;
  readonly schema?: Schema;
  readonly knownBy: WritableField['knownBy'] | 'narrows' | 'sorts';
  /** Of a parameter that was seen with one value: `-created_at`. */
  readonly value?: string;
}

const known = new WeakMap<ServiceProfile, Map<string, Learned | undefined>>();

/** What was learned of an operation's argument; undefined where that is nothing, and all stays as without a profile. */
export function getArgumentProfile(
  profile: ServiceProfile,
  operation: OperationName,
  argument: LearnedArgument,
): Learned | undefined {
  const all = known.get(profile) ?? new Map<string, Learned | undefined>();
  known.set(profile, all);
  const key = `${argument} ${operation}`;
  if (!all.has(key))
    all.set(
      key,
      argument === 'fields'
        ? createFieldsProfile(profile, operation)
        : createQueryProfile(profile, operation),
    );
  return all.get(key);
}

function createFieldsProfile(profile: ServiceProfile, operation: OperationName): Learned | undefined {
  const fields = getWritableFields(profile, operation);
  const documented = fields.flatMap(({ name, knownBy }) => (knownBy === 'documented' ? [name] : []));
  // The client takes a neighbour of a documented name for a slip: those go as `extra`.
  const names = fields.filter(
    ({ name, knownBy }) => knownBy === 'documented' || suggestName(name, documented) === undefined,
  );
  if (names.every(({ knownBy }) => knownBy === 'documented')) return undefined;
  const passing = new Set(getObservedObjectFields(profile, operation).map(({ name }) => name));
  return {
    argument: 'fields',
    names,
    passing,
    whole: passing.size > 0,
    refused: new Set(),
    shown: getObservedFields(profile, operation),
  };
}

function createQueryProfile(profile: ServiceProfile, operation: OperationName): Learned | undefined {
  const { list } = profile.operations[operation] ?? {};
  if (!list) return undefined;
  const seen = Object.entries(list.query).map(([key, does]) => {
    const [name = '', ...value] = key.split('=');
    return { name, does, ...(value.length > 0 ? { value: value.join('=') } : {}) };
  });
  const names = seen.flatMap(({ does, ...one }) =>
    does === 'narrows' || does === 'sorts' ? [{ ...one, knownBy: does }] : [],
  );
  const heeded = new Set(names.map(({ name }) => name));
  const refused = seen.filter(({ name, does, value }) => does === 'refused' && !value && !heeded.has(name));
  const ignored = seen.flatMap(({ name, does }) => (does === 'ignored' ? [name] : []));
  if (names.length === 0 && refused.length === 0) return undefined;
  return {
    argument: 'query',
    names,
    whole: names.length > 0,
    // What is ignored is said with the answer.
    passing: new Set([...ignored, ...(list.next?.params ?? []), list.size.param ?? '']),
    refused: new Set(refused.map(({ name }) => name)),
    shown: { names: new Set(), doubted: new Set() },
  };
}

/**
 * Checks what an argument holds against what was learned, before anything is sent.
 * @throws ToolError that names what was never seen, with the nearest name or all of them, and what is of another type. What
 * stands under `extra` goes out as it is: the service may know more than was learned.
 */
export function checkLearned(learned: Learned, value: unknown, where: { readonly tool: string }): void {
  if (!isObject(value)) return;
  const { extra, ...named } = value;
  const given = extra === undefined || isObject(extra) ? named : value;
  const issues = Object.entries(given).flatMap(([name, one]) => findIssue(learned, name, one) ?? []);
  if (issues.length === 0) return;
  const { argument } = learned;
  const [first = ''] = issues.map(({ name }) => name);
  const example = JSON.stringify({ extra: { [first.slice(0, 64)]: '…' } });
  throw new ToolError(
    'invalid_arguments',
    `${issues
      .slice(0, 5)
      .map(({ says }) => says)
      .join(
        ' ',
      )} ${listed(learned, where.tool)} What is right all the same goes into ${argument}.extra, unchecked: ${example}.`,
  );
}

function findIssue(
  learned: Learned,
  name: string,
  value: unknown,
): { name: string; says: string } | undefined {
  const { argument, names, passing, refused, shown, whole } = learned;
  const place = `${argument}.${shownName(name) ? name : JSON.stringify(name.slice(0, 64))}`;
  const known = names.find((one) => one.name === name);
  if (known) {
    const wanted = known.schema && !shown.doubted.has(name) ? mismatch(known.schema, value) : undefined;
    return wanted === undefined ? undefined : { name, says: `${place}: must be ${wanted}.` };
  }
  if (refused.has(name)) return { name, says: `${place}: the service was seen to refuse it.` };
  // A service that keeps a secret takes it and never shows it.
  if (argument === 'fields' && isSecretName(name)) return undefined;
  if (passing.has(name) || shown.names.has(name)) return undefined;
  const likely = names.map((one) => one.name).filter(shownName);
  const slip = suggestName(name, likely);
  if (!whole && slip === undefined) return undefined;
  const near = slip ?? nearest(name, likely);
  return {
    name,
    says: `${place}: never seen at this service${near === undefined ? '.' : `; did you mean "${near}"?`}`,
  };
}

const LISTED = 25;

function listed({ names }: Learned, tool: string): string {
  const shown = [...new Set(names.map(({ name }) => name).filter(shownName))];
  if (shown.length === 0) return '';
  const left = shown.length - LISTED;
  return `Known: ${shown.slice(0, LISTED).join(', ')}${left > 0 ? ` and ${left} more (${fieldsUri(tool)})` : ''}.`;
}

/** Where all names of a tool's argument can be read. */
export function fieldsUri(tool: string): string {
  return `docshare://fields/${tool}`;
}

/** A profile comes from elsewhere: only what looks like a field's name, and no sentence in disguise, is shown to a model. */
export function shownName(name: string): boolean {
  return (
    /^[A-Za-z_@$][\w@$.:-]{0,39}$/.test(name) && name.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).length <= 5
  );
}
