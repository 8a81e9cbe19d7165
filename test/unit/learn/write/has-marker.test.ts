import { expect, test } from 'vitest';
import { hasMarker } from '../../../../learn/write/has-marker.ts';

const MARKER = 'docshare-learn-0123456789ab';

test.each<[string, unknown, boolean]>([
  ['links', { name: MARKER }, true],
  ['links', { name: `${MARKER} b` }, true],
  ['links', { attributes: { title: MARKER } }, true],
  ['links', { link: { name: MARKER } }, true],
  ['links', { document: { name: `${MARKER}.pdf` } }, true],
  ['webhooks', { url: `https://hooks.test/a/${MARKER}` }, true],
  ['contacts', { email: `${MARKER}@docshare-learn.invalid` }, true],
  // Text that people write about the marker.
  ['links', { name: `Who made ${MARKER}` }, false],
  ['links', { name: `${MARKER} is whose?` }, false],
  ['links', { name: `${MARKER}${MARKER}` }, false],
  ['links', { name: MARKER.slice(0, -1) }, false],
  ['contacts', { email: `me+${MARKER}@docshare-learn.invalid` }, false],
  ['documents', { last_link_name: MARKER }, false],
  ['documents', { link: { name: MARKER } }, false],
  ['agreements', { document: { name: `${MARKER}.pdf` } }, false],
  ['links', { tags: [MARKER] }, false],
  ['links', MARKER, false],
])('of %s, %j has the marker: %s', (group, entry, isOwn) => {
  expect(hasMarker(entry, { group, marker: MARKER })).toBe(isOwn);
});
