import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { Scope } from '../../src/scopes.ts';
import type { Clock } from '../base/clock.ts';
import type { Fixtures } from '../fixtures/fixtures.ts';
import type { ResourceView } from '../handlers/view.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import type { ServiceInput } from '../render/learned/choose-service.ts';
import type { Faults } from '../server/faults.ts';
import type { RequestLog } from '../server/request-log.ts';
import type { Delivery } from '../state/delivery.ts';
import type { AgreementEnd } from '../state/records.ts';
import type { State } from '../state/state.ts';

export interface SandboxOptions {
  /** Port on 127.0.0.1; 0 (the default) picks a free one. */
  readonly port?: number;
  /** Makes ids, seeded data and drawn faults repeatable (1 unless given), and where given, keys and secrets too. */
  readonly seed?: number;
  /**
   * How the service answers where its document is silent: a preset, settings, or what was learned of a service, as its value
   * or as the path of `docshare.profile.json`. Default: `modern`.
   */
  readonly profile?: ServiceInput;
  /** `company` starts with a company's data, `empty` with none. Default: `company`, and `empty` where fixtures are given. */
  readonly data?: 'company' | 'empty';
  /** What exists at the start: the value itself, or the path of a JSON file or of a module that gives it. */
  readonly fixtures?: Fixtures | string;
  /** A folder that the state is kept in: the next start with it goes on where this one ended. */
  readonly dataFolder?: string;
  /** `manual` stands still until it is advanced. Default: `real`, and `manual` where `at` says when it starts. */
  readonly clock?: 'real' | 'manual';
  /** When the clock starts: a date, a day or time of ISO 8601 (UTC where it names no zone), or epoch milliseconds. Default: now. */
  readonly at?: Date | string | number;
  /** Websites whose programs may call the API besides those of this machine, such as `https://app.example`; `*`: all. */
  readonly cors?: readonly string[];
}

/** A copy of everything stored, to be given back to `restore`. */
export interface Snapshot {
  readonly state: State;
  readonly profile: SandboxProfile;
  readonly serviceProfile: ServiceProfile | null;
}

/** A running service of its own. Once it is closed what it held can still be read; what would change it is an error. */
export interface Sandbox {
  /** Base URL of the API, ending in `/api/v1`. */
  readonly url: string;
  /** Where the share and signing pages live. */
  readonly origin: string;
  /** Gives a key; with all 18 scopes unless told. The first such key is there from the start. */
  key(scopes?: readonly Scope[]): string;
  revoke(key: string): void;
  /** Gives a new key with the same scopes; the old one ends at once. */
  rotate(key: string): string;
  readonly profile: SandboxProfile;
  /** The service that is played, where one was learned: `profile` holds the settings nearest to it. */
  readonly serviceProfile: ServiceProfile | null;
  /** Switches the profile while running; what was stored stays, under the ids it has. A file is read by `readProfile` first. */
  use(profile: ServiceInput): void;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly log: Pick<RequestLog, 'entries' | 'clear' | 'waitFor'>;
  readonly deliveries: {
    entries(): readonly Delivery[];
    /** Sends a delivery again now. */
    redeliver(id: string): Promise<Delivery>;
    /** Resolves when all first attempts are done. */
    settled(): Promise<void>;
  };
  /** What a visitor in a browser does, without one; `pages` holds the seconds on page 1, page 2 and so on. */
  visit(
    linkId: string | number,
    options?: {
      email?: string;
      name?: string;
      password?: string;
      ndaAccepted?: boolean;
      pages?: readonly number[];
    },
  ): Promise<ResourceView>;
  /** What a signer does; without an e-mail address, for the first who has not signed. */
  sign(agreementId: string | number, options?: { email?: string; name?: string }): Promise<ResourceView>;
  /** What ends an agreement that was sent without its signatures. */
  endAgreement(agreementId: string | number, status: AgreementEnd): Promise<ResourceView>;
  /** Back to the start: its data, profile, clock, seed and first key; no faults, no log, no further keys. */
  reset(): void;
  /** Writes everything stored, with its files, to a folder; `load` goes on from there. */
  save(folder: string): Promise<void>;
  /** @throws Error for a folder without a saved state, and for one that is damaged or newer; nothing is changed then */
  load(folder: string): Promise<void>;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  /** @throws Error where the last changes could not be kept; a second close gives what the first gave */
  close(): Promise<void>;
}
