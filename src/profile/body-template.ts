/** Body with placeholders, as in `facts.webhook` and `facts.uploadStart` of a profile. */
type BodyTemplate = Readonly<Record<string, unknown>>;
/** Values by placeholder name; a list fills an array with one placeholder. */
export type PlaceholderValues = Readonly<Record<string, string | number | readonly string[]>>;

const FIELD_NAME = /^(?!__proto__$)[A-Za-z_@$][\w@$.:-]{0,63}$/;
const MAX_FIELDS = 40;
const MAX_DEPTH = 4;

/** Fills a learned body; undefined unless it holds only placeholders: a profile sends no values. */
export function fillTemplate(
  template: BodyTemplate,
  placeholderValues: PlaceholderValues,
  requiredPlaceholders: readonly string[],
): Record<string, unknown> | undefined {
  const state: FillState = { placeholderValues, usedPlaceholders: new Set() };
  let fields = 0;
  const fillPart = (part: unknown, level: number): unknown => {
    if (level > MAX_DEPTH) return undefined;
    if (typeof part === 'string') return fillSingle(part, state);
    if (Array.isArray(part)) return part.length === 1 ? fillList(part[0], state) : undefined;
    if (typeof part !== 'object' || part === null) return undefined;
    const entries: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(part)) {
      fields += 1;
      const value = fields > MAX_FIELDS || !FIELD_NAME.test(name) ? undefined : fillPart(inner, level + 1);
      if (value === undefined) return undefined;
      entries.push([name, value]);
    }
    return Object.fromEntries(entries);
  };
  const body = fillPart(template, 0);
  const isComplete = requiredPlaceholders.every((placeholder) => state.usedPlaceholders.has(placeholder));
  return typeof body === 'object' && body !== null && isComplete ? (body as Record<string, unknown>) : undefined;
}

interface FillState {
  readonly placeholderValues: PlaceholderValues;
  readonly usedPlaceholders: Set<string>;
}

function resolvePlaceholder(part: unknown, state: FillState): PlaceholderValues[string] | undefined {
  const placeholder = typeof part === 'string' ? /^\{(\w+)\}$/.exec(part)?.[1] : undefined;
  if (placeholder === undefined || !Object.hasOwn(state.placeholderValues, placeholder)) return undefined;
  state.usedPlaceholders.add(placeholder);
  return state.placeholderValues[placeholder];
}

/** A list with several values does not fit in one place. */
function fillSingle(part: string, state: FillState): unknown {
  const value = resolvePlaceholder(part, state);
  if (typeof value !== 'object') return value;
  return value.length === 1 ? value[0] : undefined;
}

function fillList(part: unknown, state: FillState): unknown {
  const value = resolvePlaceholder(part, state);
  if (value === undefined) return undefined;
  return typeof value === 'object' ? [...value] : [value];
}
