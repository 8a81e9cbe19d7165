import type { ParseArgsConfig } from 'node:util';
import { parseCommandArgs } from '../src/command-line.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options of a chore: one that it does not have ends it in a sentence, before anything is done. */
export function readOptions<const Known extends Options>(options: Known) {
  return read({ options }).values;
}

/** As {@link readOptions}, of a chore that takes names of files too. */
export function readNamed<const Known extends Options>(options: Known) {
  return read({ options, allowPositionals: true });
}

function read<const Config extends ParseArgsConfig & { options: Options }>(config: Config) {
  const { options } = config;
  try {
    return parseCommandArgs(config);
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    return refuse(
      `${error instanceof Error ? error.message : error} ${known.length > 0 ? `Known: ${known.join(', ')}` : 'It takes no options'}.`,
    );
  }
}

/** A whole number from `least` on. */
export function readNumber(
  text: string,
  { name, least, most }: { name: string; least: number; most: number },
) {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  return refuse(`${name} takes a whole number from ${least} to ${most}, not "${text}".`);
}

export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
