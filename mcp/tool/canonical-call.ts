import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { canonicalJson } from '../canonical-json.ts';
import { withFields } from './arguments.ts';
import type { Tool } from './tool.ts';

/**
 * One text for all calls that come to the same: in any order, with empty `fields` or without, with a number or its text,
 * through this tool or another. Two that differ may read the same here, which only makes a refusal hold for more.
 */
export function serializeCanonicalCall(tool: Tool, args: JsonObject): string {
  const { operation, input } = tool.canonicalCall?.(args) ?? {
    operation: tool.operations[0],
    input: toRequestBody(args),
  };
  return `${operation}\n${canonicalJson(normalize(input) ?? {})}`;
}

/** Named arguments, `fields` and `fields.extra` as the service gets them: side by side. */
export function toRequestBody(args: JsonObject): JsonObject {
  const { extra, ...rest } = withFields(args);
  // A name that stands twice is refused later, or is an id of the path besides one of the body.
  const canMerge = isObject(extra) && !Object.keys(extra).some((name) => Object.hasOwn(rest, name));
  return canMerge ? { ...rest, ...extra } : extra === undefined ? rest : { ...rest, extra };
}

function normalize(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map((element) => normalize(element) ?? null);
  if (!isObject(value)) return String(value).normalize('NFKC').trim() || undefined;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const normalized = normalize(inner);
    return normalized === undefined ? [] : [[name, normalized]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
