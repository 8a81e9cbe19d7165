import type { FieldError } from '../refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A body with places to fill (`{ "url": "{url}", "events": ["{event}"] }`), as a service was seen to take it. */
export interface TemplateReading {
  /** What stood in the places, by their names; of a list of one place all of its entries. */
  readonly found: ReadonlyMap<string, unknown>;
  /** Places where nothing, or something of another type, stood. */
  readonly missing: readonly FieldError[];
  /** Fields that are no part of the template. */
  readonly rest: Fields;
}

/** Levels of a template that are looked at: a file may hold any number. */
const MOST_LEVELS = 8;

/** Reads a body by a template: each place that is not filled is named, where its field is demanded. */
export function parseByTemplate(
  template: Fields,
  body: Fields,
  demanded: readonly string[] = Object.keys(template),
): TemplateReading {
  const found = new Map<string, unknown>();
  const missing: FieldError[] = [];
  const read = (form: unknown, value: unknown, path: readonly string[]): void => {
    const field = path.join('.');
    const place = placeOf(form);
    const each = Array.isArray(form) ? placeOf(form[0]) : undefined;
    if (place !== undefined) {
      if (isFilled(place, value)) found.set(place, value);
      else if (value !== undefined || demanded.includes(path[0] ?? ''))
        missing.push({
          field,
          message: value === undefined ? 'is required' : `must be a ${TYPES[place] ?? 'text'}`,
        });
    } else if (each !== undefined) {
      if (Array.isArray(value) && value.length > 0) found.set(each, value);
      else missing.push({ field, message: value === undefined ? 'is required' : 'must be a list' });
    } else if (isFields(form) && path.length < MOST_LEVELS)
      for (const [name, inner] of Object.entries(form)) read(inner, own(value, name), [...path, name]);
  };
  read(template, body, []);
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(template, name)));
  return { found, missing, rest };
}

/** The template with these values in its places; what it holds besides stays as it stands there. */
export function renderByTemplate(template: Fields, values: Fields): Record<string, unknown> {
  const show = (form: unknown, level: number): unknown => {
    const place = placeOf(form);
    if (place !== undefined) return first(own(values, place));
    if (Array.isArray(form)) {
      const each = placeOf(form[0]);
      return each === undefined ? [] : [own(values, each)].flat();
    }
    if (!isFields(form)) return form;
    if (level > MOST_LEVELS) return {};
    return Object.fromEntries(Object.entries(form).map(([name, inner]) => [name, show(inner, level + 1)]));
  };
  return show(template, 0) as Record<string, unknown>;
}

const TYPES: Readonly<Record<string, string>> = { size: 'number' };

function isFilled(place: string, value: unknown): boolean {
  return TYPES[place] === 'number' ? typeof value === 'number' : typeof value === 'string' && value !== '';
}

function placeOf(form: unknown): string | undefined {
  return typeof form === 'string' ? /^\{(\w+)\}$/.exec(form)?.[1] : undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value.join(',') : value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
