import { isLoopbackHostname } from '../../../src/loopback.ts';

/**
 * Schemes of installed apps: reversed domain names (RFC 8252 §7.1) and known hosts. Any other may run or read something, or
 * open a website that the page does not show.
 */
const APP_SCHEMES =
  /^(?:[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+|claude|codex|cursor|goose|lmstudio|raycast|vscode|vscode-insiders|vscodium|windsurf|zed):$/;
const MAX_URI_LENGTH = 1024;

/** Returns why a code can't be sent to this URL, or undefined if it can. */
export function getRedirectUriProblem(redirect: unknown): string | undefined {
  if (typeof redirect !== 'string' || redirect.length > MAX_URI_LENGTH || !URL.canParse(redirect))
    return `is not a URL of at most ${MAX_URI_LENGTH} characters`;
  // Parsers drop these characters, and browsers disagree about them.
  if (!/^[\x21-\x7e]+$/.test(redirect) || /[\\"<>^`{|}]/.test(redirect)) return 'contains an invalid character';
  // Parsers take the path as the host here, so people would see another URL than the app registered.
  if (/^https?:/i.test(redirect) && !/^https?:\/\/[^/?#]/i.test(redirect))
    return 'must have // and a host after its scheme';
  const url = new URL(redirect);
  if (redirect.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.protocol === 'http:' && !isLoopbackHostname(url.hostname))
    return 'must use https:// unless it is on localhost';
  const isAllowed = url.protocol === 'https:' || url.protocol === 'http:' || APP_SCHEMES.test(url.protocol);
  return isAllowed ? undefined : `must not use the scheme ${url.protocol}`;
}

/** Returns whether a code may be sent to this URL, and any program on the user's computer may receive it. */
export function isLoopbackRedirect(redirect: string): boolean {
  return getRedirectUriProblem(redirect) === undefined && getRedirectTarget(redirect).kind === 'computer';
}

/**
 * Matches a redirect against the registered ones, exactly except for the port on localhost, which apps choose
 * at each start (RFC 8252 §7.3).
 */
export function isRegisteredRedirect(requested: string, registered: readonly string[]): boolean {
  const anyPort = withoutPort(requested);
  return registered.some((uri) => uri === requested || (anyPort !== undefined && withoutPort(uri) === anyPort));
}

function withoutPort(redirect: string): string | undefined {
  const [, start, host = '', rest = ''] =
    /^(http:\/\/)([^/?:[]+|\[[^/?\]]*\])(?::\d{1,5})?([/?].*)?$/.exec(redirect) ?? [];
  if (start === undefined || !isLoopbackHostname(host) || !URL.canParse(redirect)) return undefined;
  return `${start}${host}${rest}`;
}

/** Appends response parameters to a redirect without changing it otherwise. */
export function buildRedirectUrl(redirect: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${new URLSearchParams(entries)}`;
}

/** Target as a person sees it: the host of a website, otherwise the whole URL. */
export function getRedirectTarget(redirect: string): {
  readonly kind: 'web' | 'computer' | 'app';
  readonly name: string;
} {
  const url = new URL(redirect);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { kind: 'app', name: redirect };
  return isLoopbackHostname(url.hostname) ? { kind: 'computer', name: redirect } : { kind: 'web', name: url.host };
}
