import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { OpenState } from '../../state/shared-state.ts';
import type { Seals } from './seal.ts';

const GrantNote = z.object({
  id: z.string(),
  client: z.string(),
  /** Where its answers went: a website, a program. */
  place: z.string(),
  readOnly: z.boolean(),
  scopes: z.array(z.string()),
  since: z.number(),
  /** When it last fetched a token. */
  usedAt: z.number(),
});

/** What stands about a grant where the holder of its key looks. */
export type GrantNote = z.infer<typeof GrantNote>;

interface GrantAndKey {
  readonly id: string;
  readonly key: string;
}

/**
 * What replicas must agree on about sign-ins. A missing record means that all is well: a state that lost its history
 * signs nobody out.
 */
export interface Grants {
  create(): string;
  isEnded(grant: GrantAndKey): Promise<boolean>;
  /** @returns false where other replicas will hear of it later, because the state is away. */
  end(id: string): Promise<boolean>;
  /** The service refuses the key: all its grants end. */
  refuse(apiKey: string): Promise<void>;
  /** The service took the key: it may sign in again. */
  accept(apiKey: string): Promise<void>;
  /** The generation of the next refresh token; undefined where an old one came, which ends the grant. */
  rotate(id: string, generation: number): Promise<number | undefined>;
  /** Notes a grant, or its use, where the holder of its key finds it. */
  note(apiKey: string, note: GrantNote): Promise<void>;
  list(apiKey: string): Promise<readonly GrantNote[]>;
}

/** The newest refresh token's generation, since when it is, and since when those before it were, the newest first. */
const Turn = z.object({ turn: z.number(), at: z.number(), before: z.array(z.number()).default([]) });

/** Refreshes that set out together all work: hosts have several windows. */
const REFRESH_GRACE_MS = 60_000;
/** More than any host's windows refresh within a minute. */
const MAX_TRACKED_ROTATIONS = 100;
/** Places for a key's grants; past them the one that was idle longest gives way. */
const PLACES = 200;

export function createGrants(options: {
  state: OpenState;
  seals: Seals;
  lifetimeMs: number;
  now?: () => number;
}): Grants {
  const { state: open, seals, lifetimeMs, now = Date.now } = options;
  const refusedKey = (apiKey: string) => seals.hashes('refused', apiKey).map((hash) => `refused ${hash}`);
  const getSlotNames = (apiKey: string) =>
    seals
      .hashes('grants', apiKey)
      .map((hash) => Array.from({ length: PLACES }, (_, place) => `grants ${hash} ${place}`));

  async function end(id: string): Promise<boolean> {
    // What a person ended stays so, even where the state is away just now.
    return (await open()).note(`ended ${id}`, {}, now() + lifetimeMs);
  }

  async function notesAt(names: readonly string[]) {
    const state = await open();
    const entries = await Promise.all(names.map(async (name) => ({ name, entry: await state.get(name) })));
    return entries.flatMap(({ name, entry }) => {
      const note = GrantNote.safeParse(entry);
      return note.success ? [{ name, note: note.data }] : [];
    });
  }

  /** Of grants in use: each call of theirs asks for the same. */
  const endings = new WeakMap<GrantAndKey, readonly string[]>();

  async function isEnded(grant: GrantAndKey): Promise<boolean> {
    const { id, key } = grant;
    const state = await open();
    const names = endings.get(grant) ?? [`ended ${id}`, ...refusedKey(key)];
    endings.set(grant, names);
    const found = await Promise.allSettled(names.map((name) => state.get(name)));
    // While the state is away, this replica still knows what was ended here.
    const [ended] = found;
    if (ended?.status === 'fulfilled' && ended.value !== undefined) return true;
    for (const one of found) if (one.status === 'rejected') throw one.reason;
    if (found.every((one) => one.status === 'fulfilled' && one.value === undefined)) return false;
    // For good: the key may be taken again tomorrow, but not by a host that had it before.
    await end(id);
    return true;
  }

  return {
    create: () => randomBytes(12).toString('base64url'),
    isEnded,
    end,
    async refuse(apiKey) {
      const [name = ''] = refusedKey(apiKey);
      await (await open()).note(name, {}, now() + lifetimeMs);
    },
    async accept(apiKey) {
      const state = await open();
      await Promise.all(refusedKey(apiKey).map((name) => state.remove(name)));
    },
    async rotate(id, generation) {
      const state = await open();
      const name = `turn ${id}`;
      const until = now() + lifetimeMs;
      for (;;) {
        const record = await state.get(name);
        const { turn, at, before } = Turn.safeParse(record).data ?? { turn: generation, at: 0, before: [] };
        if (generation < turn) {
          // A token is old since the one after it was given out, by whichever window.
          const oldSince = [at, ...before][turn - generation - 1];
          if (oldSince !== undefined && now() - oldSince <= REFRESH_GRACE_MS) return turn;
          await end(id);
          return undefined;
        }
        const recent = [at, ...before]
          .filter((one) => now() - one <= REFRESH_GRACE_MS)
          .slice(0, MAX_TRACKED_ROTATIONS);
        const next = { turn: generation + 1, at: now(), before: recent };
        const isMine = record
          ? await state.swap(name, { from: record, to: next, until })
          : !(await state.claim(name, next, until));
        // Else another replica was quicker: what it wrote is judged anew.
        if (isMine) return generation + 1;
      }
    },
    async note(apiKey, note) {
      const state = await open();
      const [places = []] = getSlotNames(apiKey);
      const entry = { ...note };
      const until = now() + lifetimeMs;
      const noted = await notesAt(places);
      const own = noted.find((one) => one.note.id === note.id);
      if (own) return state.put(own.name, { ...entry, since: own.note.since }, until);
      const taken = new Set(noted.map(({ name }) => name));
      for (const place of places)
        if (!taken.has(place) && !(await state.claim(place, entry, until))) return undefined;
      const [idlest] = noted.sort((a, b) => a.note.usedAt - b.note.usedAt);
      if (!idlest) return undefined;
      await end(idlest.note.id);
      return state.put(idlest.name, entry, until);
    },
    async list(apiKey) {
      const noted = await notesAt(getSlotNames(apiKey).flat());
      const state = await open();
      const living = await Promise.all(
        noted.map(async ({ note }) => ((await state.get(`ended ${note.id}`)) ? [] : [note])),
      );
      const newest = living.flat().sort((a, b) => b.usedAt - a.usedAt);
      return newest.filter(({ id }, index) => newest.findIndex((one) => one.id === id) === index);
    },
  };
}
