import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from '../profile/active-profile.ts';
import type { Schema } from '../profile/json-schema.ts';
import type { ListProfile, NextPageScheme } from '../profile/paging-scheme.ts';
import { getResponseItemSchema, getSchemaAt } from '../profile/profile-fields.ts';

/** A part of a scheme that a response can confirm or contradict. */
type Part = 'at' | 'next' | 'size';

/** A profile's facts about a list, without those that a response has contradicted. */
export interface ActiveScheme extends Partial<ListProfile> {
  /** Parameter for the page size, even if it was contradicted: a list continues with the size that it began with. */
  readonly sizeParam?: string | undefined;
  /** Schema of an entry. */
  readonly entry?: Schema | undefined;
  /** Responses with the field for the next page: all, never null (`filled`); all (`always`); or some. */
  readonly presence: 'filled' | 'always' | 'sometimes';
  /** Returns true if a part has worked in this client. */
  isConfirmed(part: Part): boolean;
  confirm(part: Part): void;
  /** Reports that a response contradicts a part, and drops it. */
  contradict(part: Part, found: string): void;
}

/** Names that may be parameters of a service; no other one is sent. */
const PARAM = /^(?!__proto__$)[\w$@][\w$@.:[\]-]{0,63}$/;
/** The largest page that is requested, whatever a file says. */
const MAX_PAGE_SIZE = 10_000;

/** Returns undefined if the profile does not know the list. */
export function getActiveScheme(
  learned: ActiveProfile | undefined,
  operation: OperationName,
): ActiveScheme | undefined {
  const known = learned?.getOperation(operation);
  const { list } = known ?? {};
  if (!learned || !list) return undefined;
  const factFor = (part: Part) => `operations.${operation}.list.${part}`;
  const { next, size, at, ...others } = list;
  // A parameter that filters or sorts a list does not request a page.
  const isParam = (param: string) => PARAM.test(param) && (list.query[param] ?? 'ignored') === 'ignored';
  return {
    ...others,
    ...(learned.isTrusted(factFor('at')) ? { at } : {}),
    ...(next && learned.isTrusted(factFor('next')) ? { next: { ...next, params: next.params.filter(isParam) } } : {}),
    ...(learned.isTrusted(factFor('size')) ? { size: toSoundSize(size, isParam) } : {}),
    sizeParam: size.param,
    entry: getResponseItemSchema(learned.profile, operation),
    presence: next?.header ? 'sometimes' : findPresence(known?.response?.body, next?.at),
    isConfirmed: (part) => learned.isConfirmed(factFor(part)),
    confirm: (part) => learned.confirm(factFor(part)),
    contradict: (part, came) =>
      learned.contradict({ operation, fact: factFor(part), expected: describePart(list, part), actual: came }),
  };
}

function toSoundSize(
  { param, max, default: usual }: ListProfile['size'],
  isParam: (name: string) => boolean,
): ListProfile['size'] {
  const isSound = (size: number | undefined): size is number => size !== undefined && size > 0 && size <= MAX_PAGE_SIZE;
  return {
    ...(param !== undefined && isParam(param) ? { param } : {}),
    ...(isSound(max) ? { max } : {}),
    ...(isSound(usual) ? { default: usual } : {}),
  };
}

function findPresence(body: Schema | undefined, at: readonly string[] = []): ActiveScheme['presence'] {
  const isRequired = (name: string, index: number) =>
    getSchemaAt(body ?? {}, at.slice(0, index))?.required?.includes(name);
  const field = body && getSchemaAt(body, at);
  if (!field || at.length === 0) return 'always';
  if (!at.every(isRequired)) return 'sometimes';
  return [field.type].flat().includes('null') ? 'always' : 'filled';
}

/** Describes a part by the paths and names of the file. */
function describePart({ at, next, size }: ListProfile, part: Part): string {
  if (part === 'at') return `the list in ${describePath(at)}`;
  if (part === 'next') return describeNext(next);
  return `pages of up to ${size.max ?? size.default ?? '?'}, requested by ${size.param ?? 'nothing'}`;
}

function describeNext(next: NextPageScheme | undefined): string {
  const place = next?.at ? ` in ${describePath(next.at)}` : '';
  const param = next?.params[0] ? `, requested by ${next.params[0]}` : '';
  return `the next page by ${next?.by}${place}${param}`;
}

function describePath(path: readonly string[]): string {
  return path.length === 0 ? 'the response itself' : path.join('.');
}
