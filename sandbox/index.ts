/** The emulated service: its public door. */
export type { Clock } from './clock.ts';
export { createSandbox } from './create-sandbox.ts';
export type { Delivery, DeliveryAttempt } from './events/delivery.ts';
export { SANDBOX_EVENT_KINDS, type SandboxEventKind } from './events/kinds.ts';
export type { FixtureEntry, Fixtures, FixtureVisit } from './fixtures/fixtures.ts';
export { readFixtures } from './fixtures/read-fixtures.ts';
export { sandboxForTests, type TestHooks } from './for-tests.ts';
export type { FaultRule, Faults } from './http/faults.ts';
export type { LogEntry, LogMatch } from './http/request-log.ts';
export { describeService, resolveService, type ServiceInput } from './learned/choose-service.ts';
export { findClosestProfile } from './learned/nearest-profile.ts';
export {
  createRandomProfile,
  formatProfile,
  resolveProfile,
  type SandboxProfileInput,
} from './profile/choose-profile.ts';
export { PRESETS, PROFILE_NAMES, type ProfileName } from './profile/presets.ts';
export {
  DEFAULT_PROFILE,
  type SandboxProfile,
  SWITCH_NAMES,
  SWITCHES,
  type SwitchName,
} from './profile/switches.ts';
export type { Sandbox, SandboxOptions } from './sandbox.ts';
