import { InputError } from '../errors.ts';

type HeaderValue = string | number | readonly (string | number)[] | null | undefined;

/** Headers as any server gives them: `Headers`, a Map, an object, pairs, or Node's flat `rawHeaders`. */
export type EventHeaders =
  | Iterable<readonly [name: string, value: HeaderValue]>
  | readonly string[]
  | Readonly<Record<string, HeaderValue>>;

/**
 * Headers by their lower-case names; `Http-X-Foo` and `HTTP_X_FOO` read as `x-foo`. Of a header that came twice both
 * values stand, so that neither can hide the other.
 * @throws InputError for what holds no headers.
 */
export function normalizeHeaders(headers: EventHeaders): ReadonlyMap<string, string> {
  const headerMap = new Map<string, string>();
  for (const [name, value] of toHeaderPairs(headers)) {
    if (value === undefined || value === null) continue;
    const key = name
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/^http-/, '');
    const text = [value].flat().join(', ').trim();
    const existing = headerMap.get(key);
    headerMap.set(key, existing === undefined || existing === text ? text : `${existing}, ${text}`);
  }
  return headerMap;
}

function toHeaderPairs(headers: EventHeaders): Iterable<readonly [string, HeaderValue]> {
  if (typeof headers !== 'object' || headers === null)
    throw new InputError('The headers must be an object, a Headers or pairs of name and value.');
  if (!(Symbol.iterator in headers)) return Object.entries(headers);
  const list: readonly unknown[] = [...headers];
  if (list.every((pair) => typeof pair === 'string') && list.length % 2 === 0)
    return list.flatMap((name, index) => (index % 2 === 0 ? [[name, String(list[index + 1])] as const] : []));
  if (list.every(isPair)) return list;
  throw new InputError('The headers hold something else than pairs of name and value.');
}

function isPair(pair: unknown): pair is readonly [string, HeaderValue] {
  return Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string';
}
