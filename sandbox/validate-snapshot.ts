import { types } from 'node:util';
import type { Snapshot } from './control/sandbox.ts';
import { isSetting, SWITCH_NAMES } from './profile/switches.ts';
import { createState } from './state/state.ts';

/**
 * @throws RangeError for what no snapshot is: one that went through JSON has lost its maps, and a sandbox without a part
 * of its state answers with faults
 */
export function assertSnapshot(value: unknown): asserts value is Snapshot {
  const { state, profile, serviceProfile } = toRecord(value);
  for (const [name, initial] of Object.entries(createState(0)))
    if (getTypeName(toRecord(state)[name]) !== getTypeName(initial)) throw createError(`state.${name}`);
  for (const name of SWITCH_NAMES)
    if (!isSetting(name, String(toRecord(profile)[name]))) throw createError(`profile.${name}`);
  if (typeof serviceProfile !== 'object') throw createError('serviceProfile');
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

/** By its own look: a test runner gives each file a `Map` of its own. */
function getTypeName(value: unknown): string {
  return types.isMap(value) ? 'map' : typeof value;
}

function createError(path: string): RangeError {
  return new RangeError(
    `restore takes what snapshot gave, as it is: ${path} is missing, or is something else`,
  );
}
