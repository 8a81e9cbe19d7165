import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closestMatch } from './did-you-mean.ts';
import { InputError } from './errors.ts';

/**
 * Reads the arguments of a command as `parseArgs` does. An option that takes one value is given once: of two the last
 * would count, and the first be ignored silently.
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

function parseOrThrow<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, name, fault] = /^Option '(?:-\w, )?(--[\w-]+).*' argument (missing|is ambiguous)/.exec(message) ?? [];
    // An unexpected argument may be a key, so the message does not quote it.
    if (/^Unexpected argument '(?![a-z.-]{1,24}')/.test(message))
      throw new InputError('Unexpected argument: write the value of an option directly after its name.');
    if (name === undefined) throw new InputError(`${message.split(/\. |\.?\n|\.$/, 1)[0]}.`);
    const reason = fault === 'missing' ? '' : ': what follows it begins with a hyphen, as an option does';
    throw new InputError(`${name} has no value${reason}.`);
  }
}

/** One option of a command: its syntax, help and check in one place. Make one with `flag`, `text`, `list` and so on. */
export interface Option<Value> extends Extra {
  /** Placeholder of the value in the help; absent for a flag. */
  readonly placeholder?: string;
  readonly isRepeatable?: boolean;
  readonly help: string;
  /** Completes "--name takes …" for a value that is blank or wrong. */
  readonly expectedValues?: string;
  /**
   * The value from all texts that were given; empty if the option is absent. `undefined` from a given text: it is
   * wrong.
   */
  readonly parseOrThrow: (texts: readonly string[]) => Value | undefined;
}

interface Extra {
  readonly short?: string;
  readonly isHidden?: boolean;
  /** One of these options must be present too. */
  readonly needs?: readonly string[];
  /** Options that can't be combined with this one, each with the reason. */
  readonly conflicts?: Readonly<Record<string, string>>;
  /** True for a value that is a path, which a caller may have to resolve. */
  readonly isPath?: (text: string) => boolean;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

type Camel<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** The parsed values by their names in camel case. */
export type OptionValues<Table> = {
  readonly [Name in keyof Table as Camel<Name>]: Table[Name] extends Option<infer Value> ? Value : never;
};

export function flag(help: string, extra: Extra = {}): Option<boolean> {
  return { help, ...extra, parseOrThrow: (texts) => texts.length > 0 };
}

/** Any text that is not blank. */
export function text(
  placeholder: string,
  help: string,
  extra: Extra & { expectedValues?: string } = {},
): Option<string | undefined> {
  return { placeholder, help, ...extra, parseOrThrow: (texts) => texts.at(-1) };
}

/** A repeatable option; every value stays whole. */
export function texts(
  placeholder: string,
  help: string,
  extra: Extra & { expectedValues?: string } = {},
): Option<readonly string[]> {
  return { placeholder, help, isRepeatable: true, ...extra, parseOrThrow: (seenOptions) => seenOptions };
}

/** A repeatable option whose values are lists, separated by commas or spaces. */
export function list(
  placeholder: string,
  help: string,
  extra: Extra & { expectedValues: string },
): Option<readonly string[] | undefined> {
  const parseOrThrow = (seenOptions: readonly string[]) =>
    seenOptions.length > 0 ? splitList(seenOptions) : undefined;
  return { placeholder, help, isRepeatable: true, ...extra, parseOrThrow };
}

export function splitList(seenOptions: readonly string[]): readonly string[] {
  return seenOptions.flatMap((one) => one.split(/[\s,]+/)).filter((name) => name !== '');
}

export function choice<const Choice extends string, Default extends Choice | undefined>(
  placeholder: string,
  help: string,
  { choices, fallback }: { choices: readonly Choice[]; fallback: Default },
): Option<Choice | Default> {
  const parseOrThrow = ([seenOptions]: readonly string[]) =>
    seenOptions === undefined ? fallback : choices.find((one) => one === seenOptions);
  return { placeholder, help, expectedValues: choices.join(', '), parseOrThrow };
}

export function integer<Default extends number | undefined = undefined>(
  placeholder: string,
  help: string,
  from: Extra & { min: number; max: number; fallback?: Default },
): Option<number | Default> {
  const { min, max, fallback, ...extra } = from;
  const parseOrThrow = ([seenOptions]: readonly string[]) => {
    if (seenOptions === undefined) return fallback as Default;
    const number = /^\d{1,9}$/.test(seenOptions) ? Number(seenOptions) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
  const ends = fallback === undefined ? '' : ` (default: ${fallback})`;
  const expectedValues = `a whole number from ${min} to ${max}`;
  return { placeholder, help: `${help}${ends}`, expectedValues, ...extra, parseOrThrow };
}

/** A command line that can't be meant; the message says what to change. */
export class CommandLineError extends InputError {}

/**
 * Parses the arguments of a command by its table of options.
 * @param from.hint where to find help, such as `See --help.`
 * @throws CommandLineError for an unknown, repeated, blank, wrong, incomplete or contradictory option.
 */
export function parseOptions<const Table extends Options>(
  args: readonly string[],
  from: { readonly options: Table; readonly hint: string; readonly allowPositionals?: boolean },
) {
  const { options, hint, allowPositionals = false } = from;
  const { positionals, tokens } = readTokens(args, { options, hint, allowPositionals });
  const seenOptions = new Map<string, string[]>();
  for (const { name, value } of tokens) seenOptions.set(name, [...(seenOptions.get(name) ?? []), value ?? '']);
  for (const name of seenOptions.keys()) checkCombination(name, { options, seenOptions });
  const values = Object.entries(options).map(([name, option]) => {
    const from = seenOptions.get(name) ?? [];
    const isBlank =
      option.placeholder !== undefined && option.expectedValues && from.some((one) => /^[\s,]*$/.test(one));
    const value = isBlank ? undefined : option.parseOrThrow(from);
    if (from.length > 0 && value === undefined)
      throw new CommandLineError(`--${name} takes ${option.expectedValues ?? 'another value'}.`);
    return [toCamel(name), value] as const;
  });
  return {
    values: Object.fromEntries(values) as OptionValues<Table>,
    positionals,
    /** Every option in the order of the command line. */
    seenOptions: tokens,
  };
}

function readTokens(
  args: readonly string[],
  { options, hint, allowPositionals }: { options: Options; hint: string; allowPositionals: boolean },
) {
  const known = Object.keys(options).filter((name) => !options[name]?.isHidden);
  for (const arg of args) {
    const name = arg.match(/^--([^=]*)/)?.[1];
    if (name === undefined || Object.hasOwn(options, name)) continue;
    const near = closestMatch(name, known);
    throw new CommandLineError(
      `There is no option --${name}${near ? `; did you mean --${near}?` : '.'} Known: ${known.map((one) => `--${one}`).join(', ')}.`,
    );
  }
  const config = Object.entries(options).map(([name, { placeholder, isRepeatable = false, short }]) => {
    const type = placeholder === undefined ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: isRepeatable, ...(short === undefined ? {} : { short }) }] as const;
  });
  try {
    const { positionals, tokens } = parseCommandArgs({
      args: [...args],
      options: Object.fromEntries(config),
      allowPositionals,
      tokens: true,
    });
    return { positionals, tokens: tokens.filter((token) => token.kind === 'option') };
  } catch (error) {
    throw error instanceof InputError ? new CommandLineError(`${error.message} ${hint}`) : error;
  }
}

function checkCombination(
  name: string,
  { options, seenOptions }: { options: Options; seenOptions: ReadonlyMap<string, unknown> },
): void {
  const { needs, conflicts = {} } = options[name] ?? {};
  if (needs && !needs.some((one) => seenOptions.has(one)))
    throw new CommandLineError(`--${name} works only with ${needs.map((one) => `--${one}`).join(' or ')}.`);
  const other = Object.keys(conflicts).find((one) => seenOptions.has(one));
  if (other !== undefined)
    throw new CommandLineError(`--${name} can't be combined with --${other}: ${conflicts[other]}.`);
}

function toCamel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Each option as the help and the docs show it, with its description. */
export function describeOptions(options: Options): readonly (readonly [string, string])[] {
  return Object.entries(options)
    .filter(([, { isHidden }]) => !isHidden)
    .map(([name, option]) => {
      const { short, placeholder } = option;
      const syntax = `--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`;
      return [short === undefined ? syntax : `-${short}, ${syntax}`, describe(option)];
    });
}

/** The help with its notes in parentheses, beside those that it ends with. */
function describe({ help, isRepeatable, needs }: Option<unknown>): string {
  const notes = [
    ...(isRepeatable ? ['repeatable'] : []),
    ...(needs ? [`only with ${needs.map((one) => `--${one}`).join(' or ')}`] : []),
  ].join('; ');
  if (notes === '') return help;
  return help.endsWith(')') ? `${help.slice(0, -1)}; ${notes})` : `${help} (${notes})`;
}

const HELP_WIDTH = 118;

/** The rows as two columns, the second one wrapped. */
export function formatRows(rows: readonly (readonly [string, string])[]): string {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows
    .map(([name, help]) => {
      const lines = [`  ${name}`.padEnd(indent)];
      for (const word of help.split(' ')) {
        const line = lines.at(-1) ?? '';
        if (line.length + word.length > HELP_WIDTH) lines.push(' '.repeat(indent) + word);
        else lines[lines.length - 1] = line.length === indent ? line + word : `${line} ${word}`;
      }
      return lines.join('\n');
    })
    .join('\n');
}

/** Message for a command whose working folder was deleted. */
export const WORKING_FOLDER_MISSING =
  'the working folder is gone: start in an existing folder, or use absolute paths for all folders and files (docshare-mcp: also --files DIR).';

export function isWorkingFolderMissing(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}
