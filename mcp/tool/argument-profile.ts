import { isSecretName } from '../../src/assumptions/secret-names.ts';
import {
  getObservedObjectFields,
  getWritableFields,
  type WritableField,
} from '../../src/assumptions/writable-fields.ts';
import { findClosestMatch, findTypo } from '../../src/did-you-mean.ts';
import type { OperationName } from '../../src/index.ts';
import type { Schema, ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject } from '../../src/records/fields.ts';
import { ToolError } from '../tool-error.ts';
import { describeMismatch } from './describe-mismatch.ts';
import { getObservedFields } from './observed-fields.ts';
import type { ProfiledArgument } from './profiled-arguments.ts';

/** Names that a profile knows for one argument of a tool. */
export interface ArgumentProfile {
  readonly argument: ProfiledArgument;
  /** Most certain first. */
  readonly names: readonly KnownName[];
  /** Names that are accepted but not offered: read-only fields of responses, and paging parameters. */
  readonly otherAcceptedNames: ReadonlySet<string>;
  /** True if an object of this kind was observed. If not, only likely typos of known names are rejected. */
  readonly isComplete: boolean;
  /** Parameters that the service rejected. */
  readonly rejectedNames: ReadonlySet<string>;
  /** Fields of later responses, and those with another type than in the profile: responses take precedence. */
  readonly observed: { readonly names: ReadonlySet<string>; readonly mistypedNames: ReadonlySet<string> };
}

export interface KnownName {
  readonly name: string;
  readonly schema?: Schema;
  readonly knownBy: WritableField['knownBy'] | 'narrows' | 'sorts';
  /** Value of a parameter that was observed with only one value: `-created_at`. */
  readonly value?: string;
}

const argumentProfiles = new WeakMap<ServiceProfile, Map<string, ArgumentProfile | undefined>>();

/** Returns undefined if the profile knows nothing about the argument. */
export function getArgumentProfile(
  profile: ServiceProfile,
  operation: OperationName,
  argument: ProfiledArgument,
): ArgumentProfile | undefined {
  const profilesByKey = argumentProfiles.get(profile) ?? new Map<string, ArgumentProfile | undefined>();
  argumentProfiles.set(profile, profilesByKey);
  const key = `${argument} ${operation}`;
  if (!profilesByKey.has(key))
    profilesByKey.set(
      key,
      argument === 'fields' ? createFieldsProfile(profile, operation) : createQueryProfile(profile, operation),
    );
  return profilesByKey.get(key);
}

function createFieldsProfile(profile: ServiceProfile, operation: OperationName): ArgumentProfile | undefined {
  const fields = getWritableFields(profile, operation);
  const documented = fields.flatMap(({ name, knownBy }) => (knownBy === 'documented' ? [name] : []));
  // The client takes a near-match of a documented name for a typo; such fields go into `extra`.
  const names = fields.filter(
    ({ name, knownBy }) => knownBy === 'documented' || findTypo(name, documented) === undefined,
  );
  if (names.every(({ knownBy }) => knownBy === 'documented')) return undefined;
  const otherAcceptedNames = new Set(getObservedObjectFields(profile, operation).map(({ name }) => name));
  return {
    argument: 'fields',
    names,
    otherAcceptedNames,
    isComplete: otherAcceptedNames.size > 0,
    rejectedNames: new Set(),
    observed: getObservedFields(profile, operation),
  };
}

function createQueryProfile(profile: ServiceProfile, operation: OperationName): ArgumentProfile | undefined {
  const { list } = profile.operations[operation] ?? {};
  if (!list) return undefined;
  const observedParams = Object.entries(list.query).map(([key, effect]) => {
    const [name = '', ...value] = key.split('=');
    return { name, effect, ...(value.length > 0 ? { value: value.join('=') } : {}) };
  });
  const names = observedParams.flatMap(({ effect, ...entry }) =>
    effect === 'narrows' || effect === 'sorts' ? [{ ...entry, knownBy: effect }] : [],
  );
  const supportedNames = new Set(names.map(({ name }) => name));
  const rejectedNames = observedParams.filter(
    ({ name, effect, value }) => effect === 'refused' && !value && !supportedNames.has(name),
  );
  const ignoredNames = observedParams.flatMap(({ name, effect }) => (effect === 'ignored' ? [name] : []));
  if (names.length === 0 && rejectedNames.length === 0) return undefined;
  return {
    argument: 'query',
    names,
    isComplete: names.length > 0,
    // Ignored parameters are reported with the result.
    otherAcceptedNames: new Set([...ignoredNames, ...(list.next?.params ?? []), list.size.param ?? '']),
    rejectedNames: new Set(rejectedNames.map(({ name }) => name)),
    observed: { names: new Set(), mistypedNames: new Set() },
  };
}

/**
 * Checks an argument against the profile before anything is sent; `extra` is not checked.
 * @throws ToolError that names unknown fields with a suggestion, and values of the wrong type.
 */
export function checkArgument(
  argumentProfile: ArgumentProfile,
  value: unknown,
  location: { readonly tool: string },
): void {
  if (!isObject(value)) return;
  const { extra, ...named } = value;
  const checked = extra === undefined || isObject(extra) ? named : value;
  const issues = Object.entries(checked).flatMap(([name, entry]) => findIssue(argumentProfile, name, entry) ?? []);
  if (issues.length === 0) return;
  const { argument } = argumentProfile;
  const [firstName = ''] = issues.map(({ name }) => name);
  const example = JSON.stringify({ extra: { [firstName.slice(0, 64)]: '…' } });
  const messages = issues.slice(0, 5).map(({ message }) => message);
  throw new ToolError(
    'invalid_arguments',
    `${messages.join(' ')} ${formatKnownNames(argumentProfile, location.tool)} To send a name or value unchecked, put it into ${argument}.extra: ${example}.`,
  );
}

function findIssue(
  argumentProfile: ArgumentProfile,
  name: string,
  value: unknown,
): { name: string; message: string } | undefined {
  const { argument, names, otherAcceptedNames, rejectedNames, observed, isComplete } = argumentProfile;
  const path = `${argument}.${isDisplayableName(name) ? name : JSON.stringify(name.slice(0, 64))}`;
  const knownName = names.find((entry) => entry.name === name);
  if (knownName) {
    const expected =
      knownName.schema && !observed.mistypedNames.has(name) ? describeMismatch(knownName.schema, value) : undefined;
    return expected === undefined ? undefined : { name, message: `${path}: must be ${expected}.` };
  }
  if (rejectedNames.has(name)) return { name, message: `${path}: the service rejects it.` };
  // Services accept secrets and never return them.
  if (argument === 'fields' && isSecretName(name)) return undefined;
  if (otherAcceptedNames.has(name) || observed.names.has(name)) return undefined;
  const displayableNames = names.map((entry) => entry.name).filter(isDisplayableName);
  const likelyTypo = findTypo(name, displayableNames);
  if (!isComplete && likelyTypo === undefined) return undefined;
  const suggestion = likelyTypo ?? findClosestMatch(name, displayableNames);
  return {
    name,
    message: `${path}: unknown to this service${suggestion === undefined ? '.' : `; did you mean "${suggestion}"?`}`,
  };
}

const MAX_LISTED_NAMES = 25;

function formatKnownNames({ names }: ArgumentProfile, tool: string): string {
  const displayableNames = [...new Set(names.map(({ name }) => name).filter(isDisplayableName))];
  if (displayableNames.length === 0) return '';
  const omitted = displayableNames.length - MAX_LISTED_NAMES;
  return `Known: ${displayableNames.slice(0, MAX_LISTED_NAMES).join(', ')}${omitted > 0 ? ` and ${omitted} more (${getFieldsUri(tool)})` : ''}.`;
}

/** Resource that lists all known names of a tool's arguments. */
export function getFieldsUri(tool: string): string {
  return `docshare://fields/${tool}`;
}

/** Returns whether a model may see a name from a profile: it must look like a field name, not like a sentence. */
export function isDisplayableName(name: string): boolean {
  return /^[A-Za-z_@$][\w@$.:-]{0,39}$/.test(name) && name.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).length <= 5;
}
