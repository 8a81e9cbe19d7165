import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../src/public-address.ts';
import { parseWebUrl } from '../../src/web-url.ts';
import { ToolError } from '../tool-error.ts';

/** @throws ToolError if it is not a web URL, or its host is a non-public IP address. */
export function parsePublicUrl(text: string, isAllowed = isPublicAddress): URL {
  const { url, problem } = parseWebUrl(text);
  if (!url) throw new ToolError('url_not_allowed', `url ${problem}.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw createBlockedHostError(host);
  return url;
}

function createBlockedHostError(host: string): ToolError {
  return new ToolError(
    'url_not_allowed',
    `${host} is not on the public internet, and files are fetched from public URLs only. Check the URL, or upload the file itself.`,
  );
}

/**
 * DNS lookup for sockets that rejects a host if any of its addresses is not public. Check and connection use
 * the same result, so that DNS can't change in between.
 */
export function createPublicLookup(isAllowed = isPublicAddress): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error && error.code !== 'ENOTFOUND') callback(error, '', 0);
      else if (!first || !addresses.every(({ address }) => isAllowed(address))) {
        // The same for an unknown name, so that nobody can find out which internal names exist.
        callback(createBlockedHostError(hostname), '', 0);
      } else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
