import type { buildConnector, EnvHttpProxyAgent } from 'undici';
import { InputError } from '../errors.ts';

export type Proxies = Pick<EnvHttpProxyAgent.Options, 'httpProxy' | 'httpsProxy'>;

/**
 * Reads the proxies of the environment; undefined without one.
 * @throws InputError that names the variable with an invalid URL.
 */
export function getProxies(): Proxies | undefined {
  const httpProxy = readProxy('HTTP_PROXY');
  const httpsProxy = readProxy('HTTPS_PROXY');
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  return { ...(httpProxy === undefined ? {} : { httpProxy }), ...(httpsProxy === undefined ? {} : { httpsProxy }) };
}

/** Reads a variable in lower or upper case. As for curl, a proxy without a scheme is one with http. */
function readProxy(name: string): string | undefined {
  const value = process.env[name.toLowerCase()] || process.env[name];
  if (!value) return undefined;
  const url = URL.parse(/^\w+:\/\//.test(value) ? value : `http://${value}`);
  if (!url || !/^(?:https?|socks5?):$/.test(url.protocol))
    throw new InputError(`${name} is not the URL of a proxy. Use one such as http://proxy.example.com:8080.`);
  return url.href;
}

/** Options of the connections to a proxy; their errors name it, since the service is not to blame. */
export function nameProxyInErrors<Options extends { readonly connect?: buildConnector.connector }>(
  url: URL,
  options: Options,
): Options {
  const { connect } = options;
  if (!connect) return options;
  return {
    ...options,
    connect: (target: buildConnector.Options, callback: buildConnector.Callback) =>
      connect(target, (...result) => {
        if (result[0]) Object.assign(result[0], { proxyOrigin: url.origin });
        callback(...result);
      }),
  };
}
