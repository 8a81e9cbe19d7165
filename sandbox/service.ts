import type { ServiceProfile } from '../src/profile/format.ts';
import type { RunningClock } from './clock.ts';
import type { EventKind } from './events/kinds.ts';
import { getIdFormat } from './learned/id-form.ts';
import type { Profile } from './profile/switches.ts';
import { deriveBytes } from './random.ts';
import type { KeyRing } from './state/key-ring.ts';
import { createId, type Kind, type State } from './state/state.ts';
import type { FileStore } from './storage/file-store.ts';

/** The running service, as its handlers and pages see it. */
export interface Service {
  /** Replaced as a whole by reset and restore: read it anew on each use. */
  state: State;
  profile: Profile;
  /** What was learned of the service that is played: its forms come before the settings of the profile. */
  learned: ServiceProfile | null;
  readonly clock: RunningClock;
  readonly keys: KeyRing;
  readonly files: FileStore;
  /** What all secrets are made of: drawn at random, unless a seed was given that makes them repeatable. */
  readonly secretRoot: Uint8Array;
  /** `http://127.0.0.1:PORT`, where API and pages live. */
  origin: string;
  /** A second port that serves storage alone, as a real object store is another host. */
  otherOrigin: string;
  /** Announces an event to every registration that asked for its kind. */
  emit(kind: EventKind, data: Record<string, unknown>): void;
}

export function newId(service: Service, kind: Kind): string {
  const { state, profile, learned } = service;
  return createId(state, kind, (learned && getIdFormat(learned, kind)) ?? profile.ids);
}

/** A new secret: a key of stored bytes, a token, what signs the events of a registration. */
export function newSecret(service: Service, length: number): Buffer {
  service.state.secrets += 1;
  return deriveBytes(service.secretRoot, `secret ${service.state.secrets}`, length);
}

/** The fields that every new record begins with. */
export function newRecord(service: Service, kind: Kind) {
  const now = service.clock.now();
  const id = newId(service, kind);
  service.state.callers.set(id, true);
  return { id, created_at: now, updated_at: now };
}

/** Where upload and download addresses point. */
export function storageOrigin(service: Service): string {
  return service.profile.storageOrigin === 'same' ? service.origin : service.otherOrigin;
}
