import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { ToolError } from '../tool-error.ts';

/** Ranges outside the public internet: loopback, private, link-local, carrier, test, multicast, reserved. */
const blockedRanges = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  blockedRanges.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  blockedRanges.addSubnet(net, bits, 'ipv6');

/** Returns whether an IP address is public; IPv4 inside IPv6 counts as IPv4. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 0) return false;
  return !blockedRanges.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

/** @throws ToolError if it is not a web URL, or its host is a non-public IP address. */
export function parsePublicUrl(text: string, isAllowed = isPublicAddress): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new ToolError('url_not_allowed', 'url must start with https://.');
  if (url.username !== '' || url.password !== '')
    throw new ToolError('url_not_allowed', 'url must not contain a user name or password.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if ((isIP(host) !== 0 || isIPv6(host)) && !isAllowed(host)) throw createBlockedHostError(host);
  return url;
}

export function createBlockedHostError(host: string): ToolError {
  return new ToolError(
    'url_not_allowed',
    `${host} is not on the public internet, and files are fetched from public URLs only. Pass path instead of url.`,
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
      if (error || !first) {
        callback(error ?? Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
      } else if (!addresses.every(({ address }) => isAllowed(address))) {
        callback(createBlockedHostError(hostname), '', 0);
      } else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
