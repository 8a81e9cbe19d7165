import { createHash } from 'node:crypto';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { deriveBytes } from '../base/random.ts';
import type { KeyRecord } from './records.ts';

const KEY_PATTERN = /dsk_[0-9a-f]{40}/g;

/** The workspace's API keys. A key is shown once, when created; elsewhere only its fingerprint. */
export type KeyRing = ReturnType<typeof createKeyRing>;

/** Keys derive from `root` and their order of creation. */
export function createKeyRing(input: { root: Uint8Array; now: number }) {
  const keys = new Map<string, KeyRecord>();

  function create(scopes: readonly Scope[], now: number): string {
    const key = `dsk_${deriveBytes(input.root, `key ${keys.size}`, 20).toString('hex')}`;
    keys.set(key, {
      key,
      fingerprint: getKeyFingerprint(key),
      scopes: new Set(scopes),
      created_at: now,
      revoked: false,
    });
    return key;
  }

  function getExisting(key: string): KeyRecord {
    const found = keys.get(key);
    if (!found) throw new RangeError('This key was not created by this sandbox');
    return found;
  }

  let first = create(SCOPES, input.now);
  return {
    /** The initial key, with all scopes. */
    get first() {
      return first;
    },
    create,
    find(key: string): KeyRecord | undefined {
      const found = keys.get(key);
      return found?.revoked ? undefined : found;
    },
    all: (): readonly KeyRecord[] => [...keys.values()],
    revoke(key: string): void {
      getExisting(key).revoked = true;
    },
    /** Returns a new key with the same scopes and revokes the old one. */
    rotate(key: string, now: number): string {
      const old = getExisting(key);
      if (old.revoked) throw new RangeError('This key was already rotated or revoked');
      old.revoked = true;
      return create([...old.scopes], now);
    },
    /** Restores the first key; later keys repeat in the same order. */
    reset(now: number): void {
      keys.clear();
      first = create(SCOPES, now);
    },
    /** Loads saved keys, in order of creation. */
    load(records: readonly KeyRecord[]): void {
      keys.clear();
      for (const record of records) keys.set(record.key, record);
      first = records[0]?.key ?? create(SCOPES, input.now);
    },
  };
}

/** Returns a short hash that identifies a key without revealing it. */
export function getKeyFingerprint(key: string): string {
  return `key-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}

/** Replaces whole keys in a text by their fingerprints. */
export function redactKeys(text: string): string {
  return text.replace(KEY_PATTERN, getKeyFingerprint);
}
