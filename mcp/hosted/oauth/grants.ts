import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { StateProvider } from '../../state/shared-state.ts';
import type { ClaimsEncryptor } from './claims-encryptor.ts';

const GrantSummary = z.object({
  id: z.string(),
  client: z.string(),
  /** Location of the app: a website, or the user's computer. */
  place: z.string(),
  readOnly: z.boolean(),
  scopes: z.array(z.string()),
  since: z.number(),
  /** When it last received a token. */
  usedAt: z.number(),
  /** Number of its keys, each of a workspace; 1 if missing. */
  keys: z.number().optional(),
});

/** Record of a grant, shown to the holder of its key. */
export type GrantSummary = z.infer<typeof GrantSummary>;

interface GrantWithKeys {
  readonly id: string;
  readonly key?: string | undefined;
  readonly workspaces?: readonly { readonly apiKey: string }[] | undefined;
}

/** Returns the key of each workspace. */
export function getGrantKeys({ key, workspaces }: GrantWithKeys): readonly string[] {
  return workspaces?.map(({ apiKey }) => apiKey) ?? [key ?? []].flat();
}

/**
 * Grant status that replicas share. A missing record means that the grant is valid, so that a lost state
 * signs nobody out.
 */
export interface Grants {
  create(): string;
  /** A grant also ends if the service rejected all of its keys; without keys, only its revocation counts. */
  isRevoked(grant: GrantWithKeys): Promise<boolean>;
  /** Returns false if other replicas will see it later, because the state is unavailable. */
  revoke(id: string): Promise<boolean>;
  /** Stops all grants from using a key that the service rejected. */
  rejectKey(apiKey: string): Promise<void>;
  isKeyRejected(apiKey: string): Promise<boolean>;
  /** Allows new grants for a key that the service accepted. */
  acceptKey(apiKey: string): Promise<void>;
  /** Returns the generation of the next refresh token. An old generation revokes the grant and returns undefined. */
  rotate(id: string, generation: number): Promise<number | undefined>;
  /** Records a grant or its use, for `list`. */
  recordUse(apiKey: string, recordUse: GrantSummary): Promise<void>;
  list(apiKey: string): Promise<readonly GrantSummary[]>;
}

/** Current refresh generation, its start, and the starts of earlier ones, newest first. */
const RotationRecord = z.object({ turn: z.number(), at: z.number(), before: z.array(z.number()).default([]) });

/** Concurrent refreshes all succeed, because hosts have several windows. */
const REFRESH_GRACE_MS = 60_000;
const MAX_TRACKED_ROTATIONS = 100;
/** Beyond this, the grant that was idle longest is revoked. */
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
    // A revocation holds even if the state is unavailable now.
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

  async function isAnyStored(names: readonly string[]): Promise<boolean> {
    const state = await getState();
    return (await Promise.all(names.map((name) => state.get(name)))).some((entry) => entry !== undefined);
  }

  /** Cached, because each call of a grant checks the same names. */
  const keyNames = new WeakMap<GrantWithKeys, readonly (readonly string[])[]>();

  async function isRevoked(grant: GrantWithKeys): Promise<boolean> {
    const names = keyNames.get(grant) ?? getGrantKeys(grant).map(getRejectedKeyNames);
    keyNames.set(grant, names);
    const found = await Promise.allSettled([isAnyStored([`ended ${grant.id}`]), ...names.map(isAnyStored)]);
    // While the state is unavailable, this replica still knows its own revocations.
    const [revokedResult, ...rejectedResults] = found;
    if (revokedResult?.status === 'fulfilled' && revokedResult.value) return true;
    for (const result of found) if (result.status === 'rejected') throw result.reason;
    const hasKey = rejectedResults.some((result) => result.status === 'fulfilled' && !result.value);
    if (hasKey || names.length === 0) return false;
    // Permanent: a key may become valid again, but hosts that had it must sign in again.
    await revoke(grant.id);
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
    isKeyRejected: (apiKey) => isAnyStored(getRejectedKeyNames(apiKey)),
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
        const { turn, at, before } = RotationRecord.safeParse(record).data ?? { turn: generation, at: 0, before: [] };
        if (generation < turn) {
          // A token is outdated since its successor was issued, by any window.
          const oldSince = [at, ...before][turn - generation - 1];
          if (oldSince !== undefined && now() - oldSince <= REFRESH_GRACE_MS) return turn;
          await revoke(id);
          return undefined;
        }
        const recent = [at, ...before]
          .filter((issuedAt) => now() - issuedAt <= REFRESH_GRACE_MS)
          .slice(0, MAX_TRACKED_ROTATIONS);
        const next = { turn: generation + 1, at: now(), before: recent };
        const isWritten = record
          ? await state.compareAndSwap(name, { from: record, to: next, until })
          : !(await state.putIfAbsent(name, next, until));
        // Otherwise another replica was faster, so its record is evaluated.
        if (isWritten) return generation + 1;
      }
    },
    async recordUse(apiKey, note) {
      const state = await getState();
      const [places = []] = getSlotNames(apiKey);
      const entry = { ...note };
      const until = now() + ttlMs;
      const stored = await readSummaries(places);
      const existingEntry = stored.find((item) => item.note.id === note.id);
      if (existingEntry) return state.put(existingEntry.name, { ...entry, since: existingEntry.note.since }, until);
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
      return newest.filter(({ id }, index) => newest.findIndex((item) => item.id === id) === index);
    },
  };
}
