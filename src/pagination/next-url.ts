import { PAGE_PATH_PATTERN } from '../assumptions/index.ts';
import { InputError } from '../errors.ts';

/** Query parameters that request a page of a list; `/` means a page number in the path. */
export type NextQuery = Readonly<Record<string, string | readonly string[]>>;

/** The name under which a {@link NextQuery} carries `page/2`, for a service that numbers its pages in the path. */
export const PATH_KEY = '/';

export interface ListRequest {
  /** The list with the caller's own query, without what requested the page. */
  readonly listUrl: URL;
  /** The query that was sent. */
  readonly query: URLSearchParams;
  /** Page size that the client itself added; undefined if it added none. */
  readonly size?: NextQuery | undefined;
  /** Path of the base URL. */
  readonly basePath: string;
  /** Path parameters by name: a next address must not change them. */
  readonly pathParams: Readonly<Record<string, unknown>>;
}

/** The request that a next-page URL describes. */
export interface NextUrl {
  /** To be added to the caller's own query. */
  readonly merged: NextQuery;
  /** The whole query of the URL; unset if it repeats everything that the caller requested. */
  readonly alone?: NextQuery;
}

/**
 * Parses the URL of the next page. Returns a reason if it belongs to another list. Only its query (or the page number
 * in its path) is used, on the list's own URL. So no response can send the key elsewhere, and a URL that a gateway has
 * rewritten still works.
 */
export function parseNextUrl(text: string, request: ListRequest): NextUrl | string {
  // `{&sort}` marks what a caller may add.
  const plain = text
    .trim()
    .replaceAll('&amp;', '&')
    .replace(/\{[?&][^{}]*\}/g, '');
  const url = URL.parse(plain, request.listUrl);
  if (!url) return 'the next page address is not a valid URL';
  const path = findPathBelow(url.pathname, request);
  if (path === undefined || (path !== '' && !PAGE_PATH_PATTERN.test(path)))
    return 'the next page address points to something other than this list';
  const merged: Record<string, string | string[]> = {};
  const alone: Record<string, string | string[]> = {};
  for (const name of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(name);
    if (Object.hasOwn(request.pathParams, name)) {
      if (values.length > 1 || values[0] !== String(request.pathParams[name]))
        return `the next page address asks for another "${name}"`;
      continue;
    }
    const value = values.length > 1 ? values : (values[0] ?? '');
    alone[name] = value;
    // A repeated parameter that the caller gave in another form stays as the caller gave it.
    const own = request.query.getAll(name);
    const isRewritten = values.length > 1 && own.length > 0 && JSON.stringify(own) !== JSON.stringify(values);
    if (!isRewritten) merged[name] = value;
  }
  if (path !== '') {
    merged[PATH_KEY] = path;
    alone[PATH_KEY] = path;
  }
  if (Object.keys(merged).length === 0) return 'the next page address is that of the first page';
  return getRequestParams(request).every((name) => Object.hasOwn(merged, name)) ? { merged } : { merged, alone };
}

/** Returns the parameters that the caller, or the client for a page size, requests a list with. */
export function getRequestParams({ listUrl, size = {} }: ListRequest): string[] {
  return [...listUrl.searchParams.keys(), ...Object.keys(size)];
}

/**
 * Returns the address of a list, and that of the page that a query requests.
 * @throws InputError if a path does not number a page.
 */
export function createPageUrl(
  address: string,
  { query, alone = false }: { readonly query: NextQuery; readonly alone?: boolean },
): { listUrl: URL; url: URL } {
  const listUrl = new URL(address);
  const input = listUrl.searchParams.get(PATH_KEY);
  if (input !== null) listUrl.searchParams.delete(PATH_KEY);
  const url = new URL(listUrl);
  if (alone) url.search = '';
  for (const [name, value] of Object.entries(input === null ? query : { [PATH_KEY]: input, ...query })) {
    if (name === PATH_KEY) {
      if (!PAGE_PATH_PATTERN.test(String(value)))
        throw new InputError(`"/" takes a page number in the path of a list, such as "page/2".`);
      url.pathname = `${url.pathname}/${value}`;
      continue;
    }
    url.searchParams.delete(name);
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, one);
  }
  return { listUrl, url };
}

/** Returns the rest after the path of the list; undefined for another path. A gateway may change the base path. */
function findPathBelow(path: string, { listUrl, basePath }: ListRequest): string | undefined {
  const own = decodePath(listUrl.pathname.slice(basePath.length));
  const whole = decodePath(path);
  const at = whole.lastIndexOf(own);
  if (at < 0) return undefined;
  const before = whole.slice(0, at);
  if (!basePath.endsWith(before) && (basePath === '' || !before.endsWith(basePath))) return undefined;
  return whole.slice(at + own.length, -1);
}

/** The path with a slash at its end, so that `/links` and `/links/` are equal and `/linksets` is another. */
function decodePath(path: string): string {
  try {
    return endWithSlash(decodeURIComponent(path));
  } catch {
    return endWithSlash(path);
  }
}

function endWithSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
