import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from '../profile/active-profile.ts';
import type { Schema } from '../profile/json-schema.ts';
import { getResponseItemSchema, getSchemaAt } from '../profile/profile-fields.ts';
import type { ListProfile } from '../profile/service-profile.ts';

type Part = 'at' | 'next' | 'more' | 'total' | 'size';

/** What is known of a list, and still holds. */
export interface ActiveListProfile extends Partial<Pick<ListProfile, Exclude<Part, 'size'>>> {
  readonly size?: ListProfile['size'];
  /** What asks for a size of page, also where that no longer holds: a list goes on as it was begun. */
  readonly sizeParam?: string | undefined;
  /** The form of an entry. */
  readonly entry?: Schema | undefined;
  /**
   * In which answers the place that says how the list goes on was: in each (`filled`: never null), or not in all of them,
   * so that without it the list is at its end.
   */
  readonly says: 'filled' | 'always' | 'sometimes' | 'unknown';
  /** Whether a part has led to what it says in this client. */
  isProven(part: Part): boolean;
  prove(part: Part): void;
  /** Tells that an answer says otherwise, and drops that part. */
  doubt(part: Part, came: string): void;
}

/** What may be a parameter of a service; anything else is not sent. */
const PARAM = /^(?!__proto__$)[\w$@][\w$@.:[\]-]{0,63}$/;
/** The largest page that is asked for, whatever a file says. */
const LARGEST_PAGE = 10_000;

/** Undefined where nothing is known, so that nothing is done otherwise. */
export function getActiveListProfile(
  learned: ActiveProfile | undefined,
  operation: OperationName,
): ActiveListProfile | undefined {
  const known = learned?.getOperation(operation);
  const { list } = known ?? {};
  if (!learned || !list) return undefined;
  const place = `operations.${operation}.list`;
  const kept = <P extends Part>(part: P): Pick<ListProfile, P> | Record<never, never> =>
    list[part] !== undefined && learned.isTrusted(`${place}.${part}`) ? { [part]: list[part] } : {};
  const facts: Partial<ListProfile> = Object.assign(
    {},
    kept('at'),
    kept('next'),
    kept('more'),
    kept('total'),
    kept('size'),
  );
  const { next, size, ...others } = facts;
  // What narrows or sorts a list is no place in it.
  const isParam = (param: string) => PARAM.test(param) && (list.query[param] ?? 'ignored') === 'ignored';
  const way = next && { ...next, params: next.params.filter(isParam) };
  return {
    ...others,
    ...(way ? { next: way } : {}),
    ...(size ? { size: soundSize(size, isParam) } : {}),
    sizeParam: list.size.param,
    entry: getResponseItemSchema(learned.profile, operation),
    says: next?.header ? 'sometimes' : howOften(known?.answer?.body, next?.at),
    isProven: (part) => learned.isConfirmed(`${place}.${part}`),
    prove: (part) => learned.confirm(`${place}.${part}`),
    doubt: (part, came) =>
      learned.contradict({
        operation,
        fact: `${place}.${part}`,
        expected: wordsOf(list, part),
        actual: came,
      }),
  };
}

function soundSize(
  { param, most, usual }: ListProfile['size'],
  isParam: (name: string) => boolean,
): ListProfile['size'] {
  const sound = (size: number | undefined): size is number =>
    size !== undefined && size > 0 && size <= LARGEST_PAGE;
  return {
    ...(param !== undefined && isParam(param) ? { param } : {}),
    ...(sound(most) ? { most } : {}),
    ...(sound(usual) ? { usual } : {}),
  };
}

function howOften(body: Schema | undefined, at: readonly string[] = []): ActiveListProfile['says'] {
  const isThere = (name: string, index: number) =>
    getSchemaAt(body ?? {}, at.slice(0, index))?.required?.includes(name);
  const field = body && getSchemaAt(body, at);
  if (!field || at.length === 0) return 'unknown';
  if (!at.every(isThere)) return 'sometimes';
  return [field.type].flat().includes('null') ? 'always' : 'filled';
}

/** A part of what was learned in words: paths and names, as they stand in the file. */
function wordsOf(list: ListProfile, part: Part): string {
  const path = (at: readonly string[]) => (at.length === 0 ? 'the answer itself' : at.join('.'));
  const { next, more, size } = list;
  if (part === 'at') return `the list in ${path(list.at)}`;
  if (part === 'next')
    return `the next page by ${next?.by}${next?.at ? ` in ${path(next.at)}` : ''}${next?.params[0] ? `, asked for by ${next.params[0]}` : ''}`;
  if (part === 'more') return `${path(more?.at ?? [])} says whether more follows`;
  if (part === 'total') return `the count of all entries in ${path(list.total ?? [])}`;
  return `pages of up to ${size.most ?? size.usual ?? '?'}, asked for by ${size.param ?? 'nothing'}`;
}
