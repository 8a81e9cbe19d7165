import { InputError } from '../errors.ts';

type HeaderValue = string | number | readonly (string | number)[] | null | undefined;

/** Headers of any server: `Headers`, a Map, an object, pairs, or Node's flat `rawHeaders`. */
export type EventHeaders =
  | Iterable<readonly [name: string, value: HeaderValue]>
  | readonly string[]
  | Readonly<Record<string, HeaderValue>>;

/**
 * Returns headers by lower-case name; `Http-X-Foo` and `HTTP_X_FOO` become `x-foo`. Repeated headers are
 * joined, so neither value hides the other.
 * @throws InputError for other values.
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
    throw new InputError('The headers must be an object, Headers, or pairs of name and value.');
  if (!(Symbol.iterator in headers)) return Object.entries(headers);
  const list: readonly unknown[] = [...headers];
  if (list.every((pair) => typeof pair === 'string') && list.length % 2 === 0)
    return list.flatMap((name, index) => (index % 2 === 0 ? [[name, String(list[index + 1])] as const] : []));
  if (list.every(isPair)) return list;
  throw new InputError('The headers must contain only pairs of name and value.');
}

function isPair(pair: unknown): pair is readonly [string, HeaderValue] {
  return Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string';
}
