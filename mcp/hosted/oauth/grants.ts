import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { StateProvider } from '../../state/shared-state.ts';
import type { ClaimsEncryptor } from './claims-encryptor.ts';

const GrantSummary = z.object({
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
export type GrantSummary = z.infer<typeof GrantSummary>;

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
  isRevoked(grant: GrantAndKey): Promise<boolean>;
  /** @returns false where other replicas will hear of it later, because the state is away. */
  revoke(id: string): Promise<boolean>;
  /** The service refuses the key: all its grants end. */
  rejectKey(apiKey: string): Promise<void>;
  /** The service took the key: it may sign in again. */
  acceptKey(apiKey: string): Promise<void>;
  /** The generation of the next refresh token; undefined where an old one came, which ends the grant. */
  rotate(id: string, generation: number): Promise<number | undefined>;
  /** Notes a grant, or its use, where the holder of its key finds it. */
  recordUse(apiKey: string, recordUse: GrantSummary): Promise<void>;
  list(apiKey: string): Promise<readonly GrantSummary[]>;
}

/** The newest refresh token's generation, since when it is, and since when those before it were, the newest first. */
const RotationRecord = z.object({
  turn: z.number(),
  at: z.number(),
  before: z.array(z.number()).default([]),
});

/** Refreshes that set out together all work: hosts have several windows. */
const REFRESH_GRACE_MS = 60_000;
/** More than any host's windows refresh within a minute. */
const MAX_TRACKED_ROTATIONS = 100;
/** Places for a key's grants; past them the one that was idle longest gives way. */
const MAX_GRANTS_PER_KEY = 200;

export function createGrants(options: {
  state: StateProvider;
  claimsEncryptor: ClaimsEncryptor;
  ttlMs: number;
  now?: () => number;
}): Grants {
  const { state: getState, claimsEncryptor, ttlMs, now = Date.now } = options;
  const getRejectedKeyNames = (apiKey: string) =>
    claimsEncryptor.getHashes('refused', apiKey).map((hash) => `refused ${hash}`);
  const getSlotNames = (apiKey: string) =>
    claimsEncryptor
      .getHashes('grants', apiKey)
      .map((hash) => Array.from({ length: MAX_GRANTS_PER_KEY }, (_, place) => `grants ${hash} ${place}`));

  async function revoke(id: string): Promise<boolean> {
    // What a person ended stays so, even where the state is away just now.
    return (await getState()).writeEventually(`ended ${id}`, {}, now() + ttlMs);
  }

  async function readSummaries(names: readonly string[]) {
    const state = await getState();
    const entries = await Promise.all(names.map(async (name) => ({ name, entry: await state.get(name) })));
    return entries.flatMap(({ name, entry }) => {
      const note = GrantSummary.safeParse(entry);
      return note.success ? [{ name, note: note.data }] : [];
    });
  }

  /** Of grants in use: each call of theirs asks for the same. */
  const revocationNames = new WeakMap<GrantAndKey, readonly string[]>();

  async function isRevoked(grant: GrantAndKey): Promise<boolean> {
    const { id, key } = grant;
    const state = await getState();
    const names = revocationNames.get(grant) ?? [`ended ${id}`, ...getRejectedKeyNames(key)];
    revocationNames.set(grant, names);
    const found = await Promise.allSettled(names.map((name) => state.get(name)));
    // While the state is away, this replica still knows what was ended here.
    const [revokedResult] = found;
    if (revokedResult?.status === 'fulfilled' && revokedResult.value !== undefined) return true;
    for (const one of found) if (one.status === 'rejected') throw one.reason;
    if (found.every((one) => one.status === 'fulfilled' && one.value === undefined)) return false;
    // For good: the key may be taken again tomorrow, but not by a host that had it before.
    await revoke(id);
    return true;
  }

  return {
    create: () => randomBytes(12).toString('base64url'),
    isRevoked,
    revoke,
    async rejectKey(apiKey) {
      const [name = ''] = getRejectedKeyNames(apiKey);
      await (await getState()).writeEventually(name, {}, now() + ttlMs);
    },
    async acceptKey(apiKey) {
      const state = await getState();
      await Promise.all(getRejectedKeyNames(apiKey).map((name) => state.remove(name)));
    },
    async rotate(id, generation) {
      const state = await getState();
      const name = `turn ${id}`;
      const until = now() + ttlMs;
      for (;;) {
        const record = await state.get(name);
        const { turn, at, before } = RotationRecord.safeParse(record).data ?? {
          turn: generation,
          at: 0,
          before: [],
        };
        if (generation < turn) {
          // A token is old since the one after it was given out, by whichever window.
          const oldSince = [at, ...before][turn - generation - 1];
          if (oldSince !== undefined && now() - oldSince <= REFRESH_GRACE_MS) return turn;
          await revoke(id);
          return undefined;
        }
        const recent = [at, ...before]
          .filter((one) => now() - one <= REFRESH_GRACE_MS)
          .slice(0, MAX_TRACKED_ROTATIONS);
        const next = { turn: generation + 1, at: now(), before: recent };
        const isWritten = record
          ? await state.compareAndSwap(name, { from: record, to: next, until })
          : !(await state.putIfAbsent(name, next, until));
        // Else another replica was quicker: what it wrote is judged anew.
        if (isWritten) return generation + 1;
      }
    },
    async recordUse(apiKey, note) {
      const state = await getState();
      const [places = []] = getSlotNames(apiKey);
      const entry = { ...note };
      const until = now() + ttlMs;
      const stored = await readSummaries(places);
      const existingEntry = stored.find((one) => one.note.id === note.id);
      if (existingEntry)
        return state.put(existingEntry.name, { ...entry, since: existingEntry.note.since }, until);
      const usedNames = new Set(stored.map(({ name }) => name));
      for (const place of places)
        if (!usedNames.has(place) && !(await state.putIfAbsent(place, entry, until))) return undefined;
      const [stalest] = stored.sort((a, b) => a.note.usedAt - b.note.usedAt);
      if (!stalest) return undefined;
      await revoke(stalest.note.id);
      return state.put(stalest.name, entry, until);
    },
    async list(apiKey) {
      const stored = await readSummaries(getSlotNames(apiKey).flat());
      const state = await getState();
      const active = await Promise.all(
        stored.map(async ({ note }) => ((await state.get(`ended ${note.id}`)) ? [] : [note])),
      );
      const newest = active.flat().sort((a, b) => b.usedAt - a.usedAt);
      return newest.filter(({ id }, index) => newest.findIndex((one) => one.id === id) === index);
    },
  };
}
