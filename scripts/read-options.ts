import type { ParseArgsConfig } from 'node:util';
import { parseCommandArgs } from '../src/command-line.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads a script's options; an unknown one ends it with a message before anything is done. */
export function readOptions<const Known extends Options>(options: Known) {
  return parseOptions({ options }).values;
}

/** Like {@link readOptions}, for a script that also takes file names. */
export function readOptionsAndFiles<const Known extends Options>(options: Known) {
  return parseOptions({ options, allowPositionals: true });
}

function parseOptions<const Config extends ParseArgsConfig & { options: Options }>(config: Config) {
  const { options } = config;
  try {
    return parseCommandArgs(config);
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    return exitWithUsageError(
      `${error instanceof Error ? error.message : error} ${known.length > 0 ? `Known: ${known.join(', ')}` : 'It takes no options'}.`,
    );
  }
}

/** Parses an integer of at least `min`. */
export function readNumber(text: string, { name, min, max }: { name: string; min: number; max: number }) {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  return exitWithUsageError(`${name} takes a whole number from ${min} to ${max}, not "${text}".`);
}

export function exitWithUsageError(message: string): never {
  console.error(message);
  process.exit(2);
}
