import { InputError } from '../../src/errors.ts';
import { isLoopbackHostname } from '../../src/loopback.ts';
import { parseBaseUrl } from '../../src/request/build-request.ts';
import { parseWebUrl } from '../../src/web-url.ts';
import { type Command, CommandLineError } from '../server/parse-command-line.ts';
import { parseRedisUrl } from '../state/redis-config.ts';

/** Validated settings of a hosted server. */
export interface HostedSettings {
  /** Undefined for a local trial, at the address it listens on. */
  readonly publicUrl: string | undefined;
  readonly accessTtlMs: number;
  readonly refreshTtlMs: number;
  /** Number of trusted proxies in front. */
  readonly proxies: number;
  readonly allowOrigins: readonly string[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS };

/** @throws CommandLineError, StateConfigError that say which setting to correct. */
export function parseHostedSettings(command: Command, env: NodeJS.ProcessEnv): HostedSettings {
  if (!command.sandbox) requireBaseUrl(env['DOCSHARE_BASE_URL']?.trim());
  const redisUrl = env['DOCSHARE_REDIS_URL'];
  if (redisUrl !== undefined) parseRedisUrl(redisUrl);
  return {
    publicUrl: parsePublicUrlOption(command),
    accessTtlMs: parseTtl(command.accessTtl),
    refreshTtlMs: 60 * DAY_MS,
    proxies: parseProxyCount(command.trustProxy),
    allowOrigins: command.allowOrigins.map(parseOrigin),
  };
}

/** Checked at startup, because people who sign in could not correct it. */
function requireBaseUrl(baseUrl: string | undefined): void {
  if (!baseUrl)
    throw new CommandLineError(
      '--hosted needs DOCSHARE_BASE_URL, the URL of the API (ends in /api/v1). To try it without one, add --sandbox.',
    );
  try {
    parseBaseUrl(baseUrl);
  } catch (error) {
    throw error instanceof InputError ? new CommandLineError(`DOCSHARE_BASE_URL: ${error.message}`) : error;
  }
}

function parsePublicUrlOption({ publicUrl, host }: Command): string | undefined {
  if (publicUrl === undefined) {
    if (isLoopbackHostname(host.includes(':') ? `[${host}]` : host)) return undefined;
    throw new CommandLineError('--hosted needs --public-url, the https:// URL at which people reach this server.');
  }
  const { url } = parseWebUrl(publicUrl);
  if (!url)
    throw new CommandLineError(
      `--public-url ${publicUrl} is not a valid URL. Use one such as https://mcp.example.com.`,
    );
  if (url.protocol === 'http:' && !isLoopbackHostname(url.hostname))
    throw new CommandLineError(
      `--public-url ${publicUrl} must start with https://, because API keys and tokens are sent to it. Put a TLS proxy in front.`,
    );
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new CommandLineError(
      `--public-url ${publicUrl} must not have a path. The endpoint will be ${url.origin}/mcp.`,
    );
  return url.origin;
}

function parseTtl(input = '8h'): number {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(input) ?? [];
  const ttlMs = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(ttlMs >= MINUTE_MS && ttlMs <= 30 * DAY_MS))
    throw new CommandLineError('--access-ttl must be from 1m to 30d, for example 30m, 8h or 1d.');
  return ttlMs;
}

function parseProxyCount(input = '0'): number {
  if (!/^\d$/.test(input))
    throw new CommandLineError('--trust-proxy must be the number of your proxies in front, from 0 to 9.');
  return Number(input);
}

function parseOrigin(input: string): string {
  const { url } = parseWebUrl(input);
  if (url?.pathname !== '/' || url.search !== '')
    throw new CommandLineError(`--allow-origin ${input} is not an origin. Use one such as https://host.example.`);
  return url.origin;
}
