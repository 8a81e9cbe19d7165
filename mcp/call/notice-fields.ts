import { isObject, type JsonObject } from '../../src/answer/fields.ts';
import { quoted } from '../answer/quoted.ts';
import { getListToolName, type Tool, type ToolResult } from '../contract/tool.ts';

const NAMED_LIMIT = 10;

/** The same answer, with one sentence about the `fields` that it does not carry: a service may overlook what it does not know. */
export function noticed(answer: ToolResult, { tool, args }: { tool: Tool; args: JsonObject }): ToolResult {
  const { fields } = args;
  if (!isObject(fields)) return answer;
  const missing = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null || carries(answer.data, { name, value, depth: 0 }) ? [] : [name],
  );
  if (missing.length === 0) return answer;
  const left = missing.length - NAMED_LIMIT;
  const names = missing
    .slice(0, NAMED_LIMIT)
    .map((name) => (/^\w{1,64}$/.test(name) ? name : quoted(name, 64)));
  const list = getListToolName(tool);
  const sentence = `The service's answer does not show these fields as they were sent: ${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}. It may not know them${list === undefined ? '' : `; look with ${list}`}.`;
  return {
    ...answer,
    data: { ...answer.data, not_shown: sentence },
    trustedFields: [...(answer.trustedFields ?? []), 'not_shown'],
  };
}

interface Wanted {
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
}

/** Whether an answer holds the field, at the top or a few levels down, with what was asked for. */
function carries(data: unknown, wanted: Wanted): boolean {
  if (wanted.depth > 3) return false;
  const deeper = { ...wanted, depth: wanted.depth + 1 };
  if (Array.isArray(data)) return data.slice(0, 100).some((one) => carries(one, deeper));
  if (!isObject(data)) return false;
  return Object.entries(data).some(
    ([name, inner]) =>
      (plainName(name) === plainName(wanted.name) && isLike(inner, wanted.value)) || carries(inner, deeper),
  );
}

function isLike(found: unknown, value: unknown): boolean {
  if (found === null || found === undefined) return false;
  // The service may say lists and objects in a shape of its own, with ids and times that nobody sent.
  if (typeof value === 'object') return typeof found === 'object' || typeof found === 'number';
  if (typeof found === 'object') return Object.values(found).some((one) => isLike(one, value));
  if (String(found).trim().toLowerCase() === String(value).trim().toLowerCase()) return true;
  return isSameTime(found, value);
}

function isSameTime(found: unknown, value: unknown): boolean {
  const at = (time: unknown) =>
    typeof time === 'number'
      ? time * (time < 1e11 ? 1000 : 1)
      : /^\d{4}-\d\d/.test(String(time))
        ? Date.parse(String(time))
        : Number.NaN;
  return Math.abs(at(found) - at(value)) < 86_400_000;
}

function plainName(name: string): string {
  return name.replace(/[_\s-]/g, '').toLowerCase();
}
