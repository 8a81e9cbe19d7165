import { formatValue } from './base/validate-options.ts';
import type { SandboxOptions } from './control/sandbox.ts';

const OPTION_NAMES: readonly (keyof SandboxOptions)[] = [
  'port',
  'seed',
  'profile',
  'data',
  'fixtures',
  'dataFolder',
  'clock',
  'at',
  'cors',
];

/**
 * Validates options before anything is created; callers may not use TypeScript.
 *
 * @throws RangeError
 */
export function assertSandboxOptions(options: unknown): asserts options is SandboxOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new RangeError('createSandbox needs an options object');
  for (const name of Object.keys(options)) {
    if (!(OPTION_NAMES as readonly string[]).includes(name))
      throw new RangeError(
        `createSandbox has no option "${name.slice(0, 40)}". Known options: ${OPTION_NAMES.join(', ')}`,
      );
  }
  const { port, seed, data, clock, dataFolder, cors } = options as SandboxOptions;
  if (port !== undefined && !isIntegerUpTo(port, 65_535))
    throw new RangeError(`port must be a number from 0 to 65535, not ${formatValue(port)}`);
  if (seed !== undefined && !isIntegerUpTo(seed, Number.MAX_SAFE_INTEGER))
    throw new RangeError(`seed must be a whole number, not ${formatValue(seed)}`);
  if (data !== undefined && data !== 'company' && data !== 'empty')
    throw new RangeError(
      `data must be "company" or "empty", not ${formatValue(data)}. Use dataFolder for the folder that stores the state`,
    );
  if (clock !== undefined && clock !== 'real' && clock !== 'manual')
    throw new RangeError(`clock must be "real" or "manual", not ${formatValue(clock)}`);
  if (dataFolder !== undefined && (typeof dataFolder !== 'string' || dataFolder === ''))
    throw new RangeError(`dataFolder must be the path of a folder, not ${formatValue(dataFolder)}`);
  const invalidOrigins = cors === undefined ? [] : [cors].flat().filter((origin) => typeof origin !== 'string');
  if (invalidOrigins.length > 0)
    throw new RangeError(`cors must be a list of origins, not ${formatValue(invalidOrigins[0])}`);
}

function isIntegerUpTo(value: unknown, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
}
