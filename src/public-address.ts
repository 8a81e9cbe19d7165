import { BlockList, isIP } from 'node:net';
import { splitWords } from './split-words.ts';

/** Ranges outside the public internet: loopback, private, link-local, carrier, test, multicast, reserved. */
const BLOCKED_RANGES = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 fc00::/7 fe80::/9 ff00::/8
`;
const blockList = new BlockList();
for (const range of splitWords(BLOCKED_RANGES)) {
  const [net = '', bits] = range.split('/');
  blockList.addSubnet(net, Number(bits), isIP(net) === 6 ? 'ipv6' : 'ipv4');
}

/** Returns whether an IP address is public; IPv4 inside IPv6 counts as IPv4. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 0) return false;
  return !blockList.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

/** Endings of names that only lead somewhere inside a machine or network. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/** Returns whether a URL's host can be on the public internet, by its name alone: the name may still resolve to any address. */
export function isPublicHost(hostname: string): boolean {
  const name = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(name) !== 0) return isPublicAddress(name);
  return name.includes('.') && !PRIVATE_NAME.test(name);
}
