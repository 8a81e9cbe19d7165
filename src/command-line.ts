import { type ParseArgsConfig, parseArgs } from 'node:util';
import { findClosestMatch } from './did-you-mean.ts';
import { InputError } from './errors.ts';

/**
 * Parses the arguments of a command as `parseArgs` does, and rejects a repeated option, of which `parseArgs` would silently
 * use the last value.
 * @throws InputError that says what to change; the caller adds where to find help.
 */
export function parseCommandArgs<const Config extends ParseArgsConfig>(config: Config) {
  const parsed = parseOrThrow(config);
  // Parsed again for the tokens: the result has the types of the caller's config.
  const untypedConfig: ParseArgsConfig = config;
  const { tokens } = parseArgs({ ...untypedConfig, tokens: true });
  const seenOptions = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined) continue;
    const { name, value } = token;
    if (value.startsWith('--'))
      throw new InputError(
        `--${name} has no value: ${value.slice(0, 40)} is an option. Put the value right after --${name}.`,
      );
    if (untypedConfig.options?.[name]?.multiple) continue;
    if (seenOptions.has(name)) throw new InputError(`--${name} is set twice. Remove one of the two.`);
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
    // The argument may be a key, so it is not repeated.
    if (/^Unexpected argument '(?![a-z.-]{1,24}')/.test(message))
      throw new InputError(
        'Unexpected argument. Put the value of an option right after its name, and quote a value with spaces.',
      );
    if (name === undefined) throw new InputError(`${message.split(/\. |\.?\n|\.$/, 1)[0]}.`);
    throw new InputError(
      fault === 'missing'
        ? `${name} has no value. Write the value right after it.`
        : `${name} has no value: the next argument starts with a hyphen. If that is the value, write ${name}=VALUE.`,
    );
  }
}

/** One option of a command: its syntax, help and validation. Create it with `flag`, `text`, `list` and so on. */
export interface Option<Value> extends Extra {
  /** Placeholder of the value in the help; absent for a flag. */
  readonly placeholder?: string;
  readonly isRepeatable?: boolean;
  readonly help: string;
  /** Completes "Use …" for a blank or invalid value. */
  readonly expectedValues?: string;
  /** Parses the texts of the option, none if it is absent. Returns undefined for an invalid text. */
  readonly parse: (texts: readonly string[]) => Value | undefined;
}

interface Extra {
  readonly short?: string;
  readonly isHidden?: boolean;
  /** At least one of these options must be present too. */
  readonly needs?: readonly string[];
  /** Reasons by the options that can't be combined with this one. */
  readonly conflicts?: Readonly<Record<string, string>>;
  /** Returns true if the value is a path, which a caller may have to resolve. */
  readonly isPath?: (text: string) => boolean;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

type Camel<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** Parsed values by camel-case name. */
type OptionValues<Table> = {
  readonly [Name in keyof Table as Camel<Name>]: Table[Name] extends Option<infer Value> ? Value : never;
};

export function flag(help: string, extra: Extra = {}): Option<boolean> {
  return { help, ...extra, parse: (texts) => texts.length > 0 };
}

/** Option with any text. */
export function text(
  placeholder: string,
  help: string,
  extra: Extra & { expectedValues?: string } = {},
): Option<string | undefined> {
  return { placeholder, help, ...extra, parse: (texts) => texts.at(-1) };
}

/** Repeatable option; its values are not split. */
export function texts(
  placeholder: string,
  help: string,
  extra: Extra & { expectedValues?: string } = {},
): Option<readonly string[]> {
  return { placeholder, help, isRepeatable: true, ...extra, parse: (values) => values };
}

/** Repeatable option whose values are lists, separated by commas or spaces. */
export function list(
  placeholder: string,
  help: string,
  extra: Extra & { expectedValues: string },
): Option<readonly string[] | undefined> {
  const parse = (values: readonly string[]) => (values.length > 0 ? splitList(values) : undefined);
  return { placeholder, help, isRepeatable: true, ...extra, parse };
}

export function splitList(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(/[\s,]+/)).filter((name) => name !== '');
}

export function choice<const Choice extends string, Default extends Choice | undefined>(
  placeholder: string,
  help: string,
  { choices, fallback }: { choices: readonly Choice[]; fallback: Default },
): Option<Choice | Default> {
  const parse = ([value]: readonly string[]) =>
    value === undefined ? fallback : choices.find((choice) => choice === value);
  return { placeholder, help, expectedValues: choices.join(', '), parse };
}

export function integer<Default extends number | undefined = undefined>(
  placeholder: string,
  help: string,
  from: Extra & { min: number; max: number; fallback?: Default },
): Option<number | Default> {
  const { min, max, fallback, ...extra } = from;
  const parse = ([value]: readonly string[]) => {
    if (value === undefined) return fallback as Default;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
  const ends = fallback === undefined ? '' : ` (default: ${fallback})`;
  const expectedValues = `a whole number from ${min} to ${max}`;
  return { placeholder, help: `${help}${ends}`, expectedValues, ...extra, parse };
}

/** An invalid command line; the message says what to change. */
export class CommandLineError extends InputError {}

/**
 * Parses the arguments of a command by its table of options.
 * @param from.hint sentence that says where to find help, such as `See --help.`
 * @throws CommandLineError for an unknown, repeated, invalid, incomplete or contradictory option.
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
    const texts = seenOptions.get(name) ?? [];
    const isBlank = option.placeholder !== undefined && option.expectedValues && texts.some(isBlankText);
    const value = isBlank ? undefined : option.parse(texts);
    if (texts.length > 0 && value === undefined)
      throw new CommandLineError(`Invalid value of --${name}. Use ${option.expectedValues ?? 'another value'}.`);
    return [toCamel(name), value] as const;
  });
  return {
    values: Object.fromEntries(values) as OptionValues<Table>,
    positionals,
    /** All options, in the order of the command line. */
    seenOptions: tokens,
  };
}

function isBlankText(text: string): boolean {
  return /^[\s,]*$/.test(text);
}

function readTokens(
  args: readonly string[],
  { options, hint, allowPositionals }: { options: Options; hint: string; allowPositionals: boolean },
) {
  const known = Object.keys(options).filter((name) => !options[name]?.isHidden);
  for (const arg of args) {
    const name = arg.match(/^--([^=]*)/)?.[1];
    if (name === undefined || Object.hasOwn(options, name)) continue;
    const near = findClosestMatch(name, known);
    const suggestion = near ? ` Did you mean --${near}?` : '';
    throw new CommandLineError(
      `Unknown option --${name}.${suggestion} Known options: ${known.map((one) => `--${one}`).join(', ')}.`,
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
    throw new CommandLineError(
      `--${name} works only with ${joinNames(needs)}. Add ${needs.length > 1 ? 'one of them' : 'it'}, or remove --${name}.`,
    );
  const other = Object.keys(conflicts).find((one) => seenOptions.has(one));
  if (other !== undefined)
    throw new CommandLineError(
      `--${name} can't be combined with --${other}: ${conflicts[other]}. Remove one of the two.`,
    );
}

function joinNames(names: readonly string[]): string {
  return names.map((name) => `--${name}`).join(' or ');
}

function toCamel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Syntax and description of each option, for the help and the docs. */
export function describeOptions(options: Options): readonly (readonly [string, string])[] {
  return Object.entries(options)
    .filter(([, { isHidden }]) => !isHidden)
    .map(([name, option]) => {
      const { short, placeholder } = option;
      const syntax = `--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`;
      return [short === undefined ? syntax : `-${short}, ${syntax}`, describe(option)];
    });
}

/** Appends notes to the help, in the parentheses that it may end with. */
function describe({ help, isRepeatable, needs }: Option<unknown>): string {
  const notes = [...(isRepeatable ? ['repeatable'] : []), ...(needs ? [`only with ${joinNames(needs)}`] : [])].join(
    '; ',
  );
  if (notes === '') return help;
  return help.endsWith(')') ? `${help.slice(0, -1)}; ${notes})` : `${help} (${notes})`;
}

const HELP_WIDTH = 118;

/** Formats rows as two columns and wraps the second one. */
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

/** Error message if the folder that a command was started in was deleted since. */
export const WORKING_FOLDER_MISSING =
  'The working folder no longer exists. Start the command in an existing folder, or pass absolute paths for all folders and files (docshare-mcp: also --files DIR).';

export function isWorkingFolderMissing(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}
