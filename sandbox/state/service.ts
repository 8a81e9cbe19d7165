import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { RunningClock } from '../base/clock.ts';
import { deriveBytes } from '../base/random.ts';
import type { FileStore } from '../filesystem/file-store.ts';
import type { ObjectKind } from '../profile/id-kinds.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { getIdFormat } from '../service-profile/id-format.ts';
import type { SandboxEventKind } from './event-kinds.ts';
import type { KeyRing } from './key-ring.ts';
import { createId, type State } from './state.ts';

/** The running service, as its handlers and pages see it. */
export interface Service {
  /** Replaced as a whole by reset and restore: read it anew on each use. */
  state: State;
  profile: SandboxProfile;
  /** What was learned of the service that is played: its forms come before the settings of the profile. */
  serviceProfile: ServiceProfile | null;
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
  emit(kind: SandboxEventKind, data: Record<string, unknown>): void;
}

export function generateId(service: Service, kind: ObjectKind): string {
  const { state, profile, serviceProfile } = service;
  return createId(state, kind, (serviceProfile && getIdFormat(serviceProfile, kind)) ?? profile.ids);
}

/** A new secret: a key of stored bytes, a token, what signs the events of a registration. */
export function generateSecret(service: Service, length: number): Buffer {
  service.state.secretCount += 1;
  return deriveBytes(service.secretRoot, `secret ${service.state.secretCount}`, length);
}

/** The fields that every new record begins with. */
export function createBaseRecord(service: Service, kind: ObjectKind) {
  const now = service.clock.now();
  const id = generateId(service, kind);
  service.state.callerCreatedIds.set(id, true);
  return { id, created_at: now, updated_at: now };
}

/** Where upload and download addresses point. */
export function getStorageOrigin(service: Service): string {
  return service.profile.storageOrigin === 'same' ? service.origin : service.otherOrigin;
}
