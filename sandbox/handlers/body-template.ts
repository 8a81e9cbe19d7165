import { isObject } from '../base/is-object.ts';
import type { FieldError } from '../base/rejection.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_LEVELS = 8;

/**
 * Parses a body by a template such as `{ "url": "{url}", "events": ["{event}"] }`. Only `requiredFields` are required.
 */
export function parseByTemplate(
  template: Fields,
  body: Fields,
  requiredFields: readonly string[] = Object.keys(template),
) {
  /** Values by placeholder; for a list, all its entries. */
  const found = new Map<string, unknown>();
  /** Placeholders whose value is missing or has the wrong type. */
  const missing: FieldError[] = [];
  for (const { path, placeholder, isList } of findPlaceholders(template, [])) {
    const value = path.reduce<unknown>(
      (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      body,
    );
    const field = path.join('.');
    const isValid = isList
      ? Array.isArray(value) && value.length > 0
      : placeholder === 'size'
        ? typeof value === 'number'
        : typeof value === 'string' && value !== '';
    if (isValid) found.set(placeholder, value);
    else if (value !== undefined || requiredFields.includes(path[0] ?? ''))
      missing.push({ field, message: value === undefined ? 'is required' : `must be ${getKind(placeholder, isList)}` });
  }
  /** Fields that are not in the template. */
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(template, name)));
  return { found, missing, rest };
}

function getKind(placeholder: string, isList: boolean): string {
  return isList ? 'a list' : placeholder === 'size' ? 'a number' : 'a text';
}

interface Placeholder {
  readonly path: readonly string[];
  readonly placeholder: string;
  readonly isList: boolean;
}

function findPlaceholders(template: unknown, path: readonly string[]): readonly Placeholder[] {
  const [text, isList] = Array.isArray(template) ? [template[0], true] : [template, false];
  const placeholder = typeof text === 'string' ? /^\{(\w+)\}$/.exec(text)?.[1] : undefined;
  if (placeholder !== undefined) return [{ path, placeholder, isList }];
  if (!isObject(template) || path.length >= MAX_LEVELS) return [];
  return Object.entries(template).flatMap(([name, inner]) => findPlaceholders(inner, [...path, name]));
}
