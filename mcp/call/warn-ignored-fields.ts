import { isSecretName } from '../../src/assumptions/secret-names.ts';
import { getField, isObject, type JsonObject, normalizeName } from '../../src/records/fields.ts';
import { quoteText } from '../result/quote.ts';
import { addTrustedFields } from '../tool/add-trusted-fields.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import { getListToolName, type Tool, type ToolResult } from '../tool/tool.ts';

const MAX_NAMES = 10;

/** Adds a warning about fields that the service may have ignored: those of the result, or `fields` of the call. */
export function warnIgnoredFields(result: ToolResult, { tool, args }: { tool: Tool; args: JsonObject }): ToolResult {
  const { fields } = args;
  // The note already says that the response held no object.
  const isChecked = isObject(fields) && !result.trustedFields?.includes('note');
  const missing = result.ignoredFields ?? (isChecked ? findIgnoredFields(toRequestBody(fields), result.data) : []);
  if (missing.length === 0) return result;
  const omitted = missing.length - MAX_NAMES;
  const names = missing.slice(0, MAX_NAMES).map((name) => (/^\w{1,64}$/.test(name) ? name : quoteText(name, 64)));
  const listTool = getListToolName(tool);
  const warning = `The service's response does not contain these fields as sent: ${names.join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}. It may have ignored them${listTool === undefined ? '' : `; check with ${listTool}`}.`;
  return addTrustedFields(result, { unconfirmed_fields: warning });
}

/** Names the sent fields that a response does not contain. */
export function findIgnoredFields(fields: JsonObject, response: unknown): readonly string[] {
  const data = isObject(response) ? response : {};
  return Object.entries(fields).flatMap(([name, sentValue]) =>
    sentValue === undefined ||
    // No response contains a secret.
    isSecretName(name) ||
    (sentValue === null ? !hasValue(getField(data, name)) : containsField(data, [name, sentValue]))
      ? []
      : [name],
  );
}

/** Returns whether a response shows a value under the name of a field that the request clears. */
function hasValue(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

const MAX_DEPTH = 3;

/** Returns whether a response contains the field with the sent value, at most three levels down. */
function containsField(data: unknown, field: readonly [name: string, sentValue: unknown], depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(data)) return data.slice(0, 100).some((element) => containsField(element, field, depth + 1));
  if (!isObject(data)) return false;
  const [name, sentValue] = field;
  return Object.entries(data).some(
    ([key, inner]) =>
      (normalizeName(key) === normalizeName(name) && isEquivalent(inner, sentValue)) ||
      containsField(inner, field, depth + 1),
  );
}

function isEquivalent(actual: unknown, sentValue: unknown): boolean {
  if (actual === null || actual === undefined) return false;
  // The service may return lists and objects in another shape, with additional ids and times.
  if (typeof sentValue === 'object') return typeof actual === 'object' || typeof actual === 'number';
  if (typeof actual === 'object') return Object.values(actual).some((element) => isEquivalent(element, sentValue));
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
