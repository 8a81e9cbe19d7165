export type { Clock } from './base/clock.ts';
export type { FaultRule, LogMatch } from './base/control-schemas.ts';
export type { Sandbox, SandboxOptions } from './control/sandbox.ts';
export { createSandbox } from './create-sandbox.ts';
export { type FixtureEntry, type Fixtures, type FixtureVisit, readFixtures } from './fixtures/read-fixtures.ts';
export { sandboxForTests, type TestHooks } from './for-tests.ts';
export { PRESETS, PROFILE_NAMES, type ProfileName } from './profile/presets.ts';
export {
  createRandomProfile,
  formatProfile,
  resolveProfile,
  type SandboxProfileInput,
} from './profile/resolve-profile.ts';
export {
  DEFAULT_PROFILE,
  type SandboxProfile,
  SWITCH_NAMES,
  SWITCHES,
  type SwitchName,
} from './profile/switches.ts';
export { findClosestProfile } from './render/learned/closest-profile.ts';
export { describeService, resolveService, type ServiceInput } from './render/learned/resolve-service.ts';
export type { Faults } from './server/faults.ts';
export type { LogEntry } from './server/request-log.ts';
export type { Delivery, DeliveryAttempt } from './state/delivery.ts';
export { SANDBOX_EVENT_KINDS, type SandboxEventKind } from './state/event-kinds.ts';
