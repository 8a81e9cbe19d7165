import { findClosestMatch } from './did-you-mean.ts';
import { InputError } from './errors.ts';

/** The names of all options of a type; its keys are checked by the compiler. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Rejects an unknown option: a misspelled timeout would silently not apply.
 * @param place where the option was passed, such as `createClient`.
 * @throws InputError that names it and the closest known one; also if the options are not an object.
 */
export function checkOptionNames(place: string, options: object, known: Readonly<Record<string, unknown>>): void {
  if (typeof options !== 'object' || options === null)
    throw new InputError(`${place}: the options must be an object, such as { ${Object.keys(known)[0]} }.`);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name) || Reflect.get(options, name) === undefined) continue;
    const suggestion = findClosestMatch(name, Object.keys(known));
    const advice = suggestion === undefined ? `Use ${Object.keys(known).join(', ')}.` : `Did you mean ${suggestion}?`;
    throw new InputError(`${place}: unknown option ${JSON.stringify(name.slice(0, 60))}. ${advice}`);
  }
}
