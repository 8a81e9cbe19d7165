import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { Scope } from '../../src/scopes.ts';
import type { Clock } from '../base/clock.ts';
import type { SignerOptions, VisitOptions } from '../base/control-schemas.ts';
import type { Fixtures } from '../fixtures/read-fixtures.ts';
import type { ResourceView } from '../handlers/view.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import type { ServiceInput } from '../render/learned/resolve-service.ts';
import type { Faults } from '../server/faults.ts';
import type { RequestLog } from '../server/request-log.ts';
import type { Delivery } from '../state/delivery.ts';
import type { AgreementEnd } from '../state/records.ts';
import type { State } from '../state/state.ts';

export interface SandboxOptions {
  /** Port on 127.0.0.1. Default: 0 (any free port). */
  readonly port?: number | undefined;
  /** Seed of ids and random faults (default 1). If set, keys and secrets are repeatable too. */
  readonly seed?: number | undefined;
  /**
   * How the service behaves where the API document is silent: a preset, settings, or a learned profile as its
   * value or as the path of `docshare.profile.json`. Default: `modern`.
   */
  readonly profile?: ServiceInput | undefined;
  /** `company` starts with demo data, `empty` with none. Default: `company`, or `empty` with fixtures. */
  readonly data?: 'company' | 'empty' | undefined;
  /** Initial data: the value itself, or the path of a JSON file or of a module that exports it. */
  readonly fixtures?: Fixtures | string | undefined;
  /** Folder that stores the state; the next start with it continues there. */
  readonly dataFolder?: string | undefined;
  /** `manual` moves only when advanced. Default: `real`, or `manual` if `at` is set. */
  readonly clock?: 'real' | 'manual' | undefined;
  /** Start time: a date, ISO 8601 text (UTC without a time zone) or epoch milliseconds. Default: now. */
  readonly at?: Date | string | number | undefined;
  /**
   * Origins of websites that may call the API, such as `https://app.example`; `*` allows all. Local pages always may.
   */
  readonly cors?: readonly string[] | undefined;
}

/** A copy of everything stored, for `restore`. */
export interface Snapshot {
  readonly state: State;
  readonly profile: SandboxProfile;
  readonly serviceProfile: ServiceProfile | null;
}

/** A running service. After `close` its data can still be read; methods that change it throw. */
export interface Sandbox {
  /** Base URL of the API, ending in `/api/v1`. */
  readonly url: string;
  /** Origin of the share and signing pages. */
  readonly origin: string;
  /** Returns a key; without `scopes`, one with all 18. The first such key exists from the start. */
  key(scopes?: readonly Scope[]): string;
  revoke(key: string): void;
  /** Returns a new key with the same scopes and revokes the old one. */
  rotate(key: string): string;
  readonly profile: SandboxProfile;
  /** The learned profile, if one is used; `profile` then holds the closest settings. */
  readonly serviceProfile: ServiceProfile | null;
  /** Switches the profile; stored data keeps its ids. To use a file, read it with `readProfile` first. */
  use(profile: ServiceInput): void;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly log: Pick<RequestLog, 'entries' | 'clear' | 'waitFor'>;
  readonly deliveries: {
    entries(): readonly Delivery[];
    redeliver(id: string): Promise<Delivery>;
    /** Resolves when all first attempts are done. */
    settled(): Promise<void>;
  };
  /** Simulates a visitor; `pages` holds the seconds spent on page 1, page 2 and so on. */
  visit(linkId: string | number, options?: VisitOptions): Promise<ResourceView>;
  /** Simulates a signer: the one with this email, or the first who has not signed. */
  sign(agreementId: string | number, options?: SignerOptions): Promise<ResourceView>;
  /** Ends a sent agreement without its signatures. */
  endAgreement(agreementId: string | number, status: AgreementEnd): Promise<ResourceView>;
  /** Restores the initial data, profile, clock, seed and first key; clears faults, log and other keys. */
  reset(): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  /** @throws Error if the last changes could not be saved. Later calls return the first result. */
  close(): Promise<void>;
}
