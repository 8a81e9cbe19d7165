import { existsSync } from 'node:fs';
import { NetworkError } from '../../src/index.ts';

/** Codes of a certificate whose authority Node does not know. */
const UNKNOWN_AUTHORITY_CODES = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
];
const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/** Explains how a company's network keeps the service out of reach, and the cure; undefined if it does not look like that. */
export function explainNetwork(error: unknown, env: NodeJS.ProcessEnv): string | undefined {
  if (!(error instanceof NetworkError)) return undefined;
  const { code = 'no code' } = error;
  if (UNKNOWN_AUTHORITY_CODES.includes(code)) {
    const file = env['NODE_EXTRA_CA_CERTS'];
    const isMissing = file !== undefined && !existsSync(file);
    return [
      `The certificate comes from an authority that Node does not trust (${code}), as with a company's own certificates.`,
      isMissing ? 'NODE_EXTRA_CA_CERTS names a file that does not exist.' : '',
      'Set NODE_USE_SYSTEM_CA=1 if this computer trusts it, or NODE_EXTRA_CA_CERTS to the file of the authority (PEM).',
      'Then run setup again, which writes the setting into the host’s entry.',
    ]
      .filter(Boolean)
      .join(' ');
  }
  const variable = PROXY_VARIABLES.find((name) => env[name]);
  if (variable === undefined)
    return `${error.message} If your network needs a proxy, set HTTPS_PROXY, then run setup again.`;
  if (code === 'UND_ERR_ABORTED')
    return `The proxy of ${variable} refused the connection. It often wants a name and a password (407): set ${variable} to http://NAME:PASSWORD@HOST:PORT.`;
  return `${error.message} It is reached through the proxy of ${variable}. Check the proxy, or list the service's host in NO_PROXY.`;
}
