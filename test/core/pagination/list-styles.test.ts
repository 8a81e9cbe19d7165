/** Every way in which a service may page, in every case and place of its words: 57 of 57, and no request too many. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { hasMovableFields, usesHeaders } from '../../../sandbox/profile/paging-preset.ts';
import { PAGING_PRESET_NAMES, PAGING_PRESETS } from '../../../sandbox/profile/paging-presets.ts';
import { DEFAULT_PROFILE, type SandboxProfile, SWITCHES } from '../../../sandbox/profile/switches.ts';
import { renderList } from '../../../sandbox/render/list-response.ts';
import { createLimiter, defineClient } from '../../../src/index.ts';

const BASE = 'https://docshare.test/api/v1';
const ALL = Array.from({ length: 57 }, (_, at) => ({ id: `c${at}`, name: `Contact ${at}` }));

const WANTED = JSON.stringify(ALL);
/** Read whole by pages of 100, the last one of 57. */
const MANY = Array.from({ length: 257 }, (_, at) => ({ id: `c${at}`, name: `Contact ${at}` }));

/** @param options.ignoresSize the service answers a page of 25, whatever it is asked for. */
function serve(profile: SandboxProfile, { entries = ALL, ignoresSize = true } = {}) {
  const asked: string[] = [];
  const client = defineClient({
    apiKey: 'key',
    baseUrl: BASE,
    limiter: createLimiter({ requests: 1_000_000 }),
    retry: { retries: 0 },
    transport: async ({ url }) => {
      asked.push(url.slice(BASE.length));
      const reply = answer(new URL(url));
      const body = Buffer.from(String(reply.body));
      return {
        status: reply.status,
        headers: { 'content-length': String(body.length), ...reply.headers },
        body: Readable.from([body]),
      };
    },
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

/** Pages of 25 entries, the last one of seven; or of 100. */
const PAGES = 3;

test.each(PAGING_PRESET_NAMES)('paging by %s gives 57 of 57', async (paging) => {
  const { extra = 0 } = PAGING_PRESETS[paging];
  // What stands in headers or in an address has no other place: the answers would be the same.
  const placesIn = (envelope: SandboxProfile['envelope']) =>
    envelope === 'bare' || !hasMovableFields(PAGING_PRESETS[paging])
      ? SWITCHES.pagingLocation.settings.slice(0, 1)
      : SWITCHES.pagingLocation.settings;
  // Each case of the words in the first envelope, and with each other envelope and place in turn.
  const cases = SWITCHES.naming.settings;
  for (const [row, envelope] of SWITCHES.envelope.settings.entries()) {
    for (const [column, pagingLocation] of placesIn(envelope).entries()) {
      const turns = row + column === 0 ? cases : [cases[(row + column) % cases.length] ?? 'snake'];
      for (const naming of turns) {
        const profile = { ...DEFAULT_PROFILE, paging, naming, pagingLocation, envelope };
        // A bare array pages by its headers: by a Link header where the style has none of its own.
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
