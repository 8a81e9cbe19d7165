import { PAGE_PATH } from '../assumptions/index.ts';
import { InputError } from '../errors.ts';

/** Query parameters to add to the same call for the next page; under `/` the number of the page in the path. */
export type NextQuery = Readonly<Record<string, string | readonly string[]>>;

/** The name under which a {@link NextQuery} carries `page/2`, where a service numbers its pages in the path. */
export const PAGE_IN_PATH = '/';

/** What a list was asked by. */
export interface PageRequest {
  /** The list itself, without what asked for a page. */
  readonly listUrl: URL;
  /** The query that was sent. */
  readonly query: URLSearchParams;
  /** What the client itself added, for pages of a size; undefined where it added nothing. */
  readonly size?: NextQuery | undefined;
  /** Of the base URL. */
  readonly basePath: string;
  /** What stands in the path, by name: a next address must not change it. */
  readonly pathParams: Readonly<Record<string, unknown>>;
}

/**
 * What a next address asks for, when it is one of the same list; else in words why it is not followed. Only its query
 * (or the number in its path) is used, on the address of the list itself: the key goes nowhere else, whatever an
 * answer says, and an address that a gateway has rewritten still leads on.
 */
export function parseNextUrl(text: string, asked: PageRequest): NextQuery | string {
  // `{&sort}` stands for what a caller may add.
  const plain = text
    .trim()
    .replaceAll('&amp;', '&')
    .replace(/\{[?&][^{}]*\}/g, '');
  const there = URL.parse(plain, asked.listUrl);
  if (!there) return 'the address of the next page is none';
  const path = pathBelow(there.pathname, asked);
  if (path === undefined || (path !== '' && !PAGE_PATH.test(path)))
    return 'the address of the next page leads to something other than this list';
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(there.searchParams.keys())) {
    const values = there.searchParams.getAll(name);
    const own = Object.hasOwn(asked.pathParams, name) ? asked.pathParams[name] : undefined;
    if (own !== undefined && (values.length > 1 || values[0] !== String(own)))
      return `the address of the next page asks for another "${name}"`;
    // A repeated parameter that was given stays as it was given.
    const given = asked.query.getAll(name);
    const isOther = given.length > 0 && JSON.stringify(given) !== JSON.stringify(values);
    if (own !== undefined || (values.length > 1 && isOther)) continue;
    query[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  if (path !== '') query[PAGE_IN_PATH] = path;
  return Object.keys(query).length > 0 ? query : 'the address of the next page is that of the first';
}

/**
 * The address of a list, and that of the page of it that a query asks for.
 * @throws InputError for a path that is no page's.
 */
export function buildPageUrl(address: string, query: NextQuery = {}): { listUrl: URL; url: URL } {
  const listUrl = new URL(address);
  const given = listUrl.searchParams.get(PAGE_IN_PATH);
  if (given !== null) listUrl.searchParams.delete(PAGE_IN_PATH);
  const url = new URL(listUrl);
  for (const [name, value] of Object.entries(given === null ? query : { [PAGE_IN_PATH]: given, ...query })) {
    if (name === PAGE_IN_PATH) {
      if (!PAGE_PATH.test(String(value)))
        throw new InputError(`"/" takes the number of a page in the path of a list, such as "page/2".`);
      url.pathname = `${url.pathname}/${value}`;
      continue;
    }
    url.searchParams.delete(name);
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, one);
  }
  return { listUrl, url };
}

/** What the path has below that of the list; undefined where it is another's. A gateway may cut or lengthen the base path. */
function pathBelow(path: string, { listUrl, basePath }: PageRequest): string | undefined {
  const own = decoded(listUrl.pathname.slice(basePath.length));
  const whole = decoded(path);
  const at = whole.lastIndexOf(own);
  if (at < 0) return undefined;
  const before = whole.slice(0, at);
  if (!basePath.endsWith(before) && (basePath === '' || !before.endsWith(basePath))) return undefined;
  return whole.slice(at + own.length, -1);
}

/** Ends in one slash, so that `/links` and `/links/` are one path and `/linksets` another. */
function decoded(path: string): string {
  try {
    return slashed(decodeURIComponent(path));
  } catch {
    return slashed(path);
  }
}

function slashed(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** A link that says of itself that nothing stands there. */
const NO_RESULTS = /^results\s*=\s*"?false"?$/i;

/** The relations of a `Link` header, read in one pass: `</x?page=2>; title="a, b"; rel="next", <…>`. */
export function readLinkHeader(header: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (let at = header.indexOf('<'); at >= 0; ) {
    const close = header.indexOf('>', at);
    if (close < 0) break;
    let end = endOfParam(header, close + 1);
    let rels: readonly string[] = [];
    let leads = true;
    while (end < header.length) {
      const start = end + 1;
      const stop = endOfParam(header, start);
      const param = header.slice(start, stop).trim();
      if (param.startsWith('<')) break;
      if (rels.length === 0) rels = relsOf(param);
      if (NO_RESULTS.test(param)) leads = false;
      end = stop;
    }
    for (const rel of leads ? rels : []) if (!links.has(rel)) links.set(rel, header.slice(at + 1, close));
    at = header.indexOf('<', end);
  }
  return links;
}

/** The next `;` or `,` that stands in no quotes. */
function endOfParam(header: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < header.length; at += 1) {
    const sign = header[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted && sign === '\\') at += 1;
    else if (!isQuoted && (sign === ';' || sign === ',')) return at;
  }
  return header.length;
}

function relsOf(param: string): readonly string[] {
  const equals = param.indexOf('=');
  if (param.slice(0, Math.max(0, equals)).trim().toLowerCase() !== 'rel') return [];
  return param
    .slice(equals + 1)
    .replace(/["']/g, ' ')
    .trim()
    .toLowerCase()
    .split(/\s+/);
}
