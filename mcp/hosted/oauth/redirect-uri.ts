import { isLoopbackName } from '../../../src/loopback.ts';

/** Schemes that run something, read something or send something instead of handing a code to a program. */
const BLOCKED_SCHEMES =
  /^(about|blob|chrome.*|content|data|edge|feed|file(system)?|ftps?|intent|jar|javascript|mailto|ms-.*|resource|search.*|shell|sms|ssh|tel|vbscript|view-source|wss?):$/;
const MAX_URI_LENGTH = 1024;

/** Why a code can't be sent to this address; undefined where it can. */
export function getRedirectUriProblem(redirect: unknown): string | undefined {
  if (typeof redirect !== 'string' || redirect.length > MAX_URI_LENGTH || !URL.canParse(redirect))
    return `is no address of at most ${MAX_URI_LENGTH} characters`;
  // The parser drops what stands here, and browsers don't agree what it means.
  if (!/^[\x21-\x7e]+$/.test(redirect) || /[\\"<>^`{|}]/.test(redirect))
    return 'holds a character that no address has';
  // A parser makes a host of what follows here too: people would be shown another address than the app gave.
  if (/^https?:/i.test(redirect) && !/^https?:\/\/[^/?#]/i.test(redirect))
    return 'has no // and host behind its scheme';
  const url = new URL(redirect);
  if (redirect.includes('#')) return 'has a fragment';
  if (url.username !== '' || url.password !== '') return 'holds a user name or password';
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    return 'begins with http:// and is not on the own computer';
  return BLOCKED_SCHEMES.test(url.protocol) ? `has the scheme ${url.protocol}` : undefined;
}

/**
 * Whether a request's redirect is one of the client's own: letter by letter, but for the port on the own computer, which
 * programs choose anew at each start (RFC 8252 §7.3).
 */
export function isRegisteredRedirect(requested: string, registered: readonly string[]): boolean {
  const anyPort = withoutPort(requested);
  return registered.some(
    (one) => one === requested || (anyPort !== undefined && withoutPort(one) === anyPort),
  );
}

function withoutPort(redirect: string): string | undefined {
  const [, start, host = '', rest = ''] =
    /^(http:\/\/)([^/?:[]+|\[[^/?\]]*\])(?::\d{1,5})?([/?].*)?$/.exec(redirect) ?? [];
  if (start === undefined || !isLoopbackName(host)) return undefined;
  return `${start}${host}${rest}`;
}

/** The redirect with an answer; what stands in it already stays letter by letter. */
export function buildRedirectUrl(
  redirect: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const entries = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${new URLSearchParams(entries)}`;
}

/** Where a redirect leads, in words. */
export function getRedirectTarget(redirect: string): {
  readonly kind: 'web' | 'computer' | 'app';
  readonly name: string;
} {
  const url = new URL(redirect);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { kind: 'app', name: url.protocol };
  return { kind: isLoopbackName(url.hostname) ? 'computer' : 'web', name: url.host };
}
