/** Every pagination style, in every naming and location of its fields: 57 of 57 items, and no unnecessary request. */
import { expect, test } from 'vitest';
import { hasMovableFields, usesHeaders } from '../../../sandbox/profile/paging-preset.ts';
import { PAGING_PRESET_NAMES, PAGING_PRESETS } from '../../../sandbox/profile/paging-presets.ts';
import { DEFAULT_PROFILE, type SandboxProfile, SWITCHES } from '../../../sandbox/profile/switches.ts';
import { renderList } from '../../../sandbox/render/list-response.ts';
import { createReplyingClient } from '../../support/replying-client.ts';

const BASE = 'https://docshare.test/api/v1';
const ALL = Array.from({ length: 57 }, (_, at) => ({ id: `c${at}`, name: `Contact ${at}` }));

const WANTED = JSON.stringify(ALL);
/** Read in pages of 100, the last one with 57. */
const MANY = Array.from({ length: 257 }, (_, at) => ({ id: `c${at}`, name: `Contact ${at}` }));

/** @param options.ignoresSize the service returns pages of 25, whatever size is requested. */
function serve(profile: SandboxProfile, { entries = ALL, ignoresSize = true } = {}) {
  const asked: string[] = [];
  const { client } = createReplyingClient(({ url }) => {
    asked.push(url.slice(BASE.length));
    const { body, ...head } = answer(new URL(url));
    return { ...head, body: String(body) };
  });
  const answer = (url: URL) => {
    try {
      if (ignoresSize) url.searchParams.delete('limit');
      return renderList({ entries, name: 'contacts', url, profile });
    } catch (refusal) {
      return { status: 400, headers: {}, body: JSON.stringify({ error: String(refusal) }) };
    }
  };
  return { client, asked };
}

/** Pages of 25 items, the last one with seven; or pages of 100. */
const PAGES = 3;

test.each(PAGING_PRESET_NAMES)('pagination by %s gives 57 of 57 items', async (paging) => {
  const { extra = 0 } = PAGING_PRESETS[paging];
  // Fields in headers or in a URL have no other location: the responses would be the same.
  const placesIn = (envelope: SandboxProfile['envelope']) =>
    envelope === 'bare' || !hasMovableFields(PAGING_PRESETS[paging])
      ? SWITCHES.pagingLocation.settings.slice(0, 1)
      : SWITCHES.pagingLocation.settings;
  // Every naming with the first envelope; with each other envelope and location the namings take turns.
  const cases = SWITCHES.naming.settings;
  for (const [row, envelope] of SWITCHES.envelope.settings.entries()) {
    for (const [column, pagingLocation] of placesIn(envelope).entries()) {
      const turns = row + column === 0 ? cases : [cases[(row + column) % cases.length] ?? 'snake'];
      for (const naming of turns) {
        const profile = { ...DEFAULT_PROFILE, paging, naming, pagingLocation, envelope };
        // A bare array pages by headers: by a Link header unless the style has its own.
        const bare = envelope === 'bare' && !usesHeaders(PAGING_PRESETS[paging]);
        for (const entries of row + column === 0 ? [ALL, MANY] : [ALL]) {
          const { client, asked } = serve(profile, { entries, ignoresSize: entries === ALL });
          const items = await client.contacts.list().collect();
          const where = `${naming} ${pagingLocation} ${envelope}: ${asked.join(' ')}`;
          expect(JSON.stringify(items), where).toBe(entries === ALL ? WANTED : JSON.stringify(MANY));
          expect(asked.length, where).toBe(PAGES + (bare ? 0 : extra));
        }
      }
    }
  }
});
