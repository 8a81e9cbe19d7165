import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { quoteText } from '../result/quote.ts';
import { getListToolName, type Tool, type ToolResult } from '../tool/tool.ts';

const MAX_NAMES = 10;

/** The same answer, with one sentence about the `fields` that it does not carry: a service may overlook what it does not know. */
export function warnIgnoredFields(
  result: ToolResult,
  { tool, args }: { tool: Tool; args: JsonObject },
): ToolResult {
  const { fields } = args;
  if (!isObject(fields)) return result;
  const missing = Object.entries(fields).flatMap(([name, sentValue]) =>
    sentValue === undefined || sentValue === null || containsField(result.data, { name, sentValue, depth: 0 })
      ? []
      : [name],
  );
  if (missing.length === 0) return result;
  const omitted = missing.length - MAX_NAMES;
  const names = missing
    .slice(0, MAX_NAMES)
    .map((name) => (/^\w{1,64}$/.test(name) ? name : quoteText(name, 64)));
  const listTool = getListToolName(tool);
  const warning = `The service's answer does not show these fields as they were sent: ${names.join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}. It may not know them${listTool === undefined ? '' : `; look with ${listTool}`}.`;
  return {
    ...result,
    data: { ...result.data, not_shown: warning },
    trustedFields: [...(result.trustedFields ?? []), 'not_shown'],
  };
}

interface SentField {
  readonly name: string;
  readonly sentValue: unknown;
  readonly depth: number;
}

/** Whether an answer holds the field, at the top or a few levels down, with what was asked for. */
function containsField(data: unknown, sentField: SentField): boolean {
  if (sentField.depth > 3) return false;
  const nextLevel = { ...sentField, depth: sentField.depth + 1 };
  if (Array.isArray(data)) return data.slice(0, 100).some((element) => containsField(element, nextLevel));
  if (!isObject(data)) return false;
  return Object.entries(data).some(
    ([name, inner]) =>
      (normalizeName(name) === normalizeName(sentField.name) && isEquivalent(inner, sentField.sentValue)) ||
      containsField(inner, nextLevel),
  );
}

function isEquivalent(actual: unknown, sentValue: unknown): boolean {
  if (actual === null || actual === undefined) return false;
  // The service may say lists and objects in a shape of its own, with ids and times that nobody sent.
  if (typeof sentValue === 'object') return typeof actual === 'object' || typeof actual === 'number';
  if (typeof actual === 'object')
    return Object.values(actual).some((element) => isEquivalent(element, sentValue));
  if (String(actual).trim().toLowerCase() === String(sentValue).trim().toLowerCase()) return true;
  return isSameTime(actual, sentValue);
}

function isSameTime(actual: unknown, sentValue: unknown): boolean {
  const at = (time: unknown) =>
    typeof time === 'number'
      ? time * (time < 1e11 ? 1000 : 1)
      : /^\d{4}-\d\d/.test(String(time))
        ? Date.parse(String(time))
        : Number.NaN;
  return Math.abs(at(actual) - at(sentValue)) < 86_400_000;
}

function normalizeName(name: string): string {
  return name.replace(/[_\s-]/g, '').toLowerCase();
}
