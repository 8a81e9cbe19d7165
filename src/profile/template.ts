/** A body with places to fill, as `facts.webhook` and `facts.uploadStart` of a profile hold one. */
type Template = Readonly<Record<string, unknown>>;
/** What goes into the places, by their names; a list goes into a list of one place. */
export type Filling = Readonly<Record<string, string | number | readonly string[]>>;

/** What a field of the service may be called. */
const NAME = /^(?!__proto__$)[A-Za-z_@$][\w@$.:-]{0,63}$/;
const MAX_FIELDS = 40;
const MAX_DEPTH = 4;

/**
 * A learned body with this call's own values. Undefined where the template can't carry them, or holds anything but places:
 * a file may say what the service calls things, and never what is said to it.
 */
export function fillTemplate(
  template: Template,
  filling: Filling,
  needed: readonly string[],
): Record<string, unknown> | undefined {
  const used = new Set<string>();
  let fields = 0;
  const fill = (part: unknown, level: number): unknown => {
    if (level > MAX_DEPTH) return undefined;
    if (typeof part === 'string') return fillPlace(part, { filling, used });
    if (Array.isArray(part)) return part.length === 1 ? fillList(part[0], { filling, used }) : undefined;
    if (typeof part !== 'object' || part === null) return undefined;
    const filled: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(part)) {
      fields += 1;
      const value = fields > MAX_FIELDS || !NAME.test(name) ? undefined : fill(inner, level + 1);
      if (value === undefined) return undefined;
      filled.push([name, value]);
    }
    return Object.fromEntries(filled);
  };
  const body = fill(template, 0);
  if (typeof body !== 'object' || body === null || !needed.every((place) => used.has(place)))
    return undefined;
  return body as Record<string, unknown>;
}

interface Filled {
  readonly filling: Filling;
  /** The places that were met. */
  readonly used: Set<string>;
}

function placeName(part: unknown): string | undefined {
  return typeof part === 'string' ? /^\{(\w+)\}$/.exec(part)?.[1] : undefined;
}

function takeFrom(part: unknown, { filling, used }: Filled): Filling[string] | undefined {
  const place = placeName(part);
  if (place === undefined || !Object.hasOwn(filling, place)) return undefined;
  used.add(place);
  return filling[place];
}

/** One value: of several there is none that could stand alone. */
function fillPlace(part: string, filled: Filled): unknown {
  const value = takeFrom(part, filled);
  if (typeof value !== 'object') return value;
  return value.length === 1 ? value[0] : undefined;
}

function fillList(part: unknown, filled: Filled): unknown {
  const value = takeFrom(part, filled);
  if (value === undefined) return undefined;
  return typeof value === 'object' ? [...value] : [value];
}
