import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/public-address.ts';

/** The first and last address of each private range, and the public addresses next to them. */
test.each([
  ['0.0.0.0', '0.255.255.255', '', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', ''],
  ['::', '::ffff:ffff', '', '2000::'],
  ['64:ff9b::', '64:ff9b::ffff:ffff', '64:ff9a:ffff::', '64:ff9b:2::'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '', '64:ff9b:2::'],
  ['100::', '100::ffff:ffff:ffff:ffff', 'ff:ffff::', '100:0:0:1::'],
  ['2001::', '2001:1ff:ffff::', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff::', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff:ffff::', '2001:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::'],
  ['fc00::', 'fdff:ffff::', 'fbff:ffff::', 'fe00::'],
  ['fe80::', 'febf:ffff::', 'fe7f:ffff::', ''],
  ['fec0::', 'feff:ffff::', '', ''],
  ['ff00::', 'ffff:ffff::', '', ''],
  ['::ffff:10.0.0.1', '::ffff:127.0.0.1', '', '::ffff:93.184.216.34'],
])('%s to %s is private, %s and %s are public', (first, last, before, after) => {
  expect([first, last].filter(isPublicAddress)).toEqual([]);
  for (const address of [before, after]) if (address !== '') expect(isPublicAddress(address), address).toBe(true);
});

test('brackets and a zone do not change the result, and text that is not an address is not public', () => {
  expect(isPublicAddress('[2606:4700::1111]')).toBe(true);
  expect(isPublicAddress('[::1]')).toBe(false);
  expect(isPublicAddress('fe80::1%eth0')).toBe(false);
  expect(isPublicAddress('2606:4700::1111%eth0')).toBe(true);
  for (const text of ['', 'localhost', '10.0.0', '1.2.3.4.5', '0x7f.1']) expect(isPublicAddress(text)).toBe(false);
});
