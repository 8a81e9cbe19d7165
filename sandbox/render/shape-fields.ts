import type { SandboxProfile } from '../profile/switches.ts';

/** Names that the API document specifies (§2, §4): no profile changes them. */
const FIXED_NAMES = new Set([
  'id',
  'name',
  'url',
  'document_id',
  'email_required',
  'uploadUrl',
  'headers',
  'storageKey',
  'token',
]);

const WHOLE_NUMBER = /^\d{1,15}$/;

/** Applies the profile's field names, ids, times and nulls to a view. Callers' own fields (`custom`) stay as sent. */
export function shapeFields(value: unknown, context: { profile: SandboxProfile; object: string }): unknown {
  if (Array.isArray(value)) return value.map((entry) => shapeFields(entry, context));
  if (typeof value !== 'object' || value === null) return value;
  const { profile } = context;
  const fields = value as Record<string, unknown>;
  const object = typeof fields['object'] === 'string' ? fields['object'] : context.object;
  const shaped: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (name === 'custom' || (name === 'object' && profile.extras === 'none' && object !== 'event')) continue;
    if (field === null && profile.nulls === 'omitted') continue;
    shaped[styleName(name, profile)] = shapeField({ name, field, object }, profile);
  }
  const custom = Object.entries((fields['custom'] as Record<string, unknown> | undefined) ?? {});
  if (custom.length === 0) return shaped;
  // A caller's field can't hide one of the service.
  const serviceNames = new Set(Object.keys(fields).flatMap((name) => [name, styleName(name, profile)]));
  return { ...shaped, ...Object.fromEntries(custom.filter(([name]) => !serviceNames.has(name))) };
}

function shapeField(input: { name: string; field: unknown; object: string }, profile: SandboxProfile): unknown {
  const { name, field, object } = input;
  if (name === 'headers') return field;
  if (typeof field === 'number' && name.endsWith('_at')) return formatTime(field, profile);
  if (typeof field === 'string' && isNumericId(input, profile)) return Number(field);
  return shapeFields(field, { profile, object: name === 'document' ? 'document' : object });
}

/** §2: a document's id is a string, under each of its names; other ids may be numbers. */
function isNumericId(input: { name: string; field: unknown; object: string }, profile: SandboxProfile): boolean {
  const { name, field, object } = input;
  if (profile.ids !== 'numbers' || name === 'document_id' || (name === 'id' && object === 'document')) return false;
  return (name === 'id' || name.endsWith('_id')) && WHOLE_NUMBER.test(String(field));
}

export function styleName(name: string, profile: SandboxProfile): string {
  if (profile.naming === 'snake' || FIXED_NAMES.has(name)) return name;
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return profile.naming === 'camel' ? camel : camel.charAt(0).toUpperCase() + camel.slice(1);
}

/** Names that don't start with a letter (`@odata.count`) belong to a fixed format. */
export function styleField(name: string, profile: SandboxProfile): string {
  return /^[a-z]/.test(name) ? styleName(name, profile) : name;
}

/** Renames all fields of a value. */
export function styleNames(value: unknown, profile: SandboxProfile): unknown {
  if (Array.isArray(value)) return value.map((entry) => styleNames(entry, profile));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [styleField(name, profile), styleNames(field, profile)]),
  );
}

export function formatTime(at: number, profile: SandboxProfile): string | number {
  switch (profile.dates) {
    case 'epoch-seconds':
      return Math.floor(at / 1000);
    case 'epoch-ms':
      return Math.round(at);
    default:
      return new Date(at).toISOString();
  }
}
