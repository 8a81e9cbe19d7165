import { getErrorCode } from '../retry/retry.ts';

/** Codes of a certificate from an authority that Node.js does not know. */
const UNKNOWN_AUTHORITY = /^(?:UNABLE_TO_(?:VERIFY|GET_ISSUER)|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED)/;

/** Explanations by code; `TARGET` and `CODE` are filled in. */
const CERTIFICATE_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [
    UNKNOWN_AUTHORITY,
    "the certificate of TARGET comes from an authority that Node.js does not trust (CODE). Set NODE_EXTRA_CA_CERTS to the authority's PEM file, or NODE_USE_SYSTEM_CA=1 if this system trusts it",
  ],
  [/^CERT_HAS_EXPIRED$/, 'the certificate of TARGET has expired (CODE). Tell its administrator'],
  [/^CERT_NOT_YET_VALID$/, "the certificate of TARGET is not valid yet (CODE). Check this system's clock"],
  [
    /^(?:ERR_TLS_CERT_ALTNAME|HOSTNAME_)/,
    'the certificate is for another host than TARGET (CODE). Check the host name',
  ],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, 'TARGET does not use TLS on this port (CODE). Check https:// and the port'],
];

/**
 * Explains a failed connection to `target` by its cause and says what to do; undefined if the error shows no more than
 * its code.
 */
export function explainConnectionError(fault: unknown, target: string): string | undefined {
  const causes = [...listCauses(fault)];
  const code = getErrorCode(fault) ?? '';
  if (causes.some(({ message }) => /^invalid on\w+ method$/.test(message)))
    return 'the `dispatcher` comes from an old version of undici. Pass one from undici 7 or newer';
  if (code === 'UNDICI_UNAVAILABLE') return "undici can't run here. Pass `transport: createFetchTransport()`";
  const tunnelStatus = causes.map(({ message }) => /^Proxy .*\((\d{3})\)/.exec(message)?.[1]).find(Boolean);
  if (tunnelStatus === '407')
    return `the proxy requires a user name and password for ${target} (status 407). Put them into its URL, such as HTTPS_PROXY=http://user:password@host:port`;
  if (tunnelStatus?.startsWith('5'))
    return `the proxy could not reach ${target} (status ${tunnelStatus}). Check the host name and the proxy`;
  if (tunnelStatus !== undefined)
    return `the proxy refused the connection to ${target} (status ${tunnelStatus}). Ask its administrator to allow it, or add the host to NO_PROXY`;
  const proxy = causes.map(({ proxyOrigin }) => proxyOrigin).find((origin) => typeof origin === 'string');
  const peer = proxy === undefined ? target : `the proxy ${proxy}`;
  const problem = CERTIFICATE_PROBLEMS.find(([pattern]) => pattern.test(code));
  if (problem) return problem[1].replace('CODE', code).replace('TARGET', () => peer);
  if (proxy === undefined) return undefined;
  return `${peer} could not be reached${code && ` (${code})`}. Check HTTPS_PROXY, or add the host of ${target} to NO_PROXY`;
}

/** An error, and those behind it. */
function* listCauses(fault: unknown): Generator<Error & { readonly proxyOrigin?: unknown }> {
  for (let error = fault, depth = 0; error instanceof Error && depth < 5; depth += 1) {
    yield error;
    error = error.cause;
  }
}
