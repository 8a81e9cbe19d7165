import { types } from 'node:util';
import type { Snapshot } from './control/sandbox.ts';
import { isSetting, SWITCH_NAMES } from './profile/switches.ts';
import { createState } from './state/state.ts';

/** @throws RangeError for anything but a snapshot; JSON, for example, loses its maps */
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

/** By internal slots: a test runner gives each file its own `Map` class. */
function getTypeName(value: unknown): string {
  return types.isMap(value) ? 'map' : typeof value;
}

function createError(path: string): RangeError {
  return new RangeError(`restore needs an unchanged snapshot: ${path} is missing or has the wrong type`);
}
