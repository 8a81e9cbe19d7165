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

/** The running service, for handlers and pages. */
export interface Service {
  /** Replaced by reset and restore: read it on each use. */
  state: State;
  profile: SandboxProfile;
  /** The learned profile, if any; its forms take precedence over settings. */
  serviceProfile: ServiceProfile | null;
  readonly clock: RunningClock;
  readonly keys: KeyRing;
  readonly files: FileStore;
  /** All secrets derive from it: random, or from the seed if one was set. */
  readonly secretRoot: Uint8Array;
  /** `http://127.0.0.1:PORT` of the API and pages. */
  origin: string;
  /** A second port that serves only storage, as real object stores have their own host. */
  otherOrigin: string;
  /** Sends an event to every webhook that subscribes to its kind. */
  emit(kind: SandboxEventKind, data: Record<string, unknown>): void;
}

export function generateId(service: Service, kind: ObjectKind): string {
  const { state, profile, serviceProfile } = service;
  return createId(state, kind, (serviceProfile && getIdFormat(serviceProfile, kind)) ?? profile.ids);
}

/** Generates a secret: a storage key, a token or a webhook secret. */
export function generateSecret(service: Service, length: number): Buffer {
  service.state.secretCount += 1;
  return deriveBytes(service.secretRoot, `secret ${service.state.secretCount}`, length);
}

export function createBaseRecord(service: Service, kind: ObjectKind) {
  const now = service.clock.now();
  const id = generateId(service, kind);
  service.state.callerCreatedIds.set(id, true);
  return { id, created_at: now, updated_at: now };
}

/** Origin of upload and download URLs. */
export function getStorageOrigin(service: Service): string {
  return service.profile.storageOrigin === 'same' ? service.origin : service.otherOrigin;
}
