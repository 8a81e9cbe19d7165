import { type ParseArgsConfig, parseArgs } from 'node:util';
import { InputError } from './errors.ts';

/**
 * Reads the arguments of a command as `parseArgs` does. An option that takes one value is given once: of two the last would count,
 * and the first be forgotten without a word.
 *
 * @throws InputError with a sentence for what can't be meant; where help is to be had is for the caller to add.
 */
export function parseCommandArgs<const Config extends ParseArgsConfig>(config: Config) {
  const parsed = parseOrThrow(config);
  // Once more for the tokens: the types of what is given back are those of the caller's own config.
  const untypedConfig: ParseArgsConfig = config;
  const { tokens } = parseArgs({ ...untypedConfig, tokens: true });
  const seenOptions = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined) continue;
    const { name, value } = token;
    if (value.startsWith('--'))
      throw new InputError(`--${name} has no value: ${value.slice(0, 40)} begins as an option does.`);
    if (untypedConfig.options?.[name]?.multiple) continue;
    if (seenOptions.has(name)) throw new InputError(`--${name} was given twice: leave one out.`);
    seenOptions.add(name);
  }
  return parsed;
}

/**
 * A sentence for the first option that was given as nothing but blanks and commas: a start that takes that for "all" or "none",
 * or for the folder it stands in, would be another than was meant.
 *
 * @param takes what each option takes, in words.
 */
export function describeBlankOption(
  values: Readonly<Record<string, unknown>>,
  expectedValues: Readonly<Record<string, string>>,
): string | undefined {
  const isBlank = (value: unknown) => typeof value === 'string' && /^[\s,]*$/.test(value);
  const blankOption = Object.keys(expectedValues).find((name) => [values[name]].flat().some(isBlank));
  return blankOption && `--${blankOption} takes ${expectedValues[blankOption]}.`;
}

function parseOrThrow<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, name, fault] =
      /^Option '(?:-\w, )?(--[\w-]+).*' argument (missing|is ambiguous)/.exec(message) ?? [];
    // What stands where nothing belongs may be a key.
    if (/^Unexpected argument '(?![a-z.-]{1,24}')/.test(message))
      throw new InputError('An argument stands where none belongs: values of options follow their names.');
    if (name === undefined) throw new InputError(`${message.split(/\. |\.?\n|\.$/, 1)[0]}.`);
    const reason = fault === 'missing' ? '' : ': what follows it begins with a hyphen, as an option does';
    throw new InputError(`${name} has no value${reason}.`);
  }
}

/** What is said where the folder that a command was started in was deleted meanwhile. */
export const WORKING_FOLDER_MISSING =
  'the working folder is gone: start it in one that is there, or give every folder and file by its whole path (docshare-mcp: also --files DIR).';

export function isWorkingFolderMissing(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}
