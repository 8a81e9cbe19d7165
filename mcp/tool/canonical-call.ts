import { getOperation } from '../../src/operations/index.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { toCanonicalJson } from '../canonical-json.ts';
import { mergeFields } from './arguments.ts';
import type { Tool } from './tool.ts';

/**
 * Canonical form of a call, so that equivalent calls share one idempotency key: argument order, empty `fields`, the tool
 * used and numbers as text make no difference. An empty value clears a field of an update; elsewhere it is as if left out.
 */
export function serializeCanonicalCall(tool: Tool, args: JsonObject): string {
  const { operation, input } = tool.canonicalCall?.(args) ?? {
    operation: tool.operations[0],
    input: toRequestBody(args),
  };
  const empty = getOperation(operation).effect === 'update' ? null : undefined;
  return `${operation}\n${toCanonicalJson(normalize(input, empty) ?? {})}`;
}

/** Request body: named arguments, `fields` and `fields.extra` side by side. */
export function toRequestBody(args: JsonObject): JsonObject {
  const { extra, ...rest } = mergeFields(args);
  // A duplicate name is rejected later, or is a path id besides a body field.
  const canMerge = isObject(extra) && !Object.keys(extra).some((name) => Object.hasOwn(rest, name));
  return canMerge ? { ...rest, ...extra } : extra === undefined ? rest : { ...rest, extra };
}

function normalize(value: unknown, empty: null | undefined): unknown {
  if (value === undefined) return undefined;
  if (value === null) return empty;
  if (Array.isArray(value)) return value.map((element) => normalize(element, empty) ?? null);
  if (!isObject(value)) return String(value).normalize('NFKC').trim() || empty;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const normalized = normalize(inner, empty);
    return normalized === undefined ? [] : [[name, normalized]];
  });
  return entries.every(([, inner]) => inner === null) ? empty : Object.fromEntries(entries);
}
