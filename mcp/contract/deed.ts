import { isObject, type JsonObject } from '../../src/answer/fields.ts';
import { canonicalJson } from '../canonical.ts';
import { withFields } from './arguments.ts';
import type { Tool } from './tool.ts';

/**
 * One text for all calls that come to the same: in any order, with empty `fields` or without, with a number or its text,
 * through this tool or another. Two that differ may read the same here, which only makes a refusal hold for more.
 */
export function serializeCanonicalCall(tool: Tool, args: JsonObject): string {
  const { operation, input } = tool.comesTo?.(args) ?? {
    operation: tool.operations[0],
    input: toRequestBody(args),
  };
  return `${operation}\n${canonicalJson(plain(input) ?? {})}`;
}

/** Named arguments, `fields` and `fields.extra` as the service gets them: side by side. */
export function toRequestBody(args: JsonObject): JsonObject {
  const { extra, ...rest } = withFields(args);
  // A name that stands twice is refused later, or is an id of the path besides one of the body.
  const isOneBody = isObject(extra) && !Object.keys(extra).some((name) => Object.hasOwn(rest, name));
  return isOneBody ? { ...rest, ...extra } : extra === undefined ? rest : { ...rest, extra };
}

function plain(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map((one) => plain(one) ?? null);
  if (!isObject(value)) return String(value).normalize('NFKC').trim() || undefined;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = plain(inner);
    return kept === undefined ? [] : [[name, kept]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
