import { shown } from './given.ts';
import type { SandboxOptions } from './sandbox.ts';

const NAMES: readonly (keyof SandboxOptions)[] = [
  'port',
  'seed',
  'profile',
  'data',
  'fixtures',
  'keepIn',
  'clock',
  'at',
  'cors',
];

/**
 * Options come from programs without types too: what can't be meant is refused before anything is made.
 *
 * @throws RangeError with a sentence
 */
export function checkOptions(options: unknown): asserts options is SandboxOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new RangeError('createSandbox takes its options as an object');
  for (const name of Object.keys(options)) {
    if (!(NAMES as readonly string[]).includes(name))
      throw new RangeError(
        `createSandbox has no option "${name.slice(0, 40)}"; its options: ${NAMES.join(', ')}`,
      );
  }
  const { port, seed, data, clock, keepIn, cors } = options as SandboxOptions;
  if (port !== undefined && !isWhole(port, 65_535))
    throw new RangeError(`port takes a number from 0 to 65535, not ${shown(port)}`);
  if (seed !== undefined && !isWhole(seed, Number.MAX_SAFE_INTEGER))
    throw new RangeError(`seed takes a whole number, not ${shown(seed)}`);
  if (data !== undefined && data !== 'company' && data !== 'empty')
    throw new RangeError(
      `data takes "company" or "empty", not ${shown(data)}: the folder that everything is kept in is given as keepIn`,
    );
  if (clock !== undefined && clock !== 'real' && clock !== 'manual')
    throw new RangeError(`clock takes "real" or "manual", not ${shown(clock)}`);
  if (keepIn !== undefined && (typeof keepIn !== 'string' || keepIn === ''))
    throw new RangeError(`keepIn takes the path of a folder, not ${shown(keepIn)}`);
  const others = cors === undefined ? [] : [cors].flat().filter((origin) => typeof origin !== 'string');
  if (others.length > 0) throw new RangeError(`cors takes a list of origins, not ${shown(others[0])}`);
}

function isWhole(value: unknown, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}
