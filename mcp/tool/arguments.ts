import { z } from 'zod';
import { findClosestMatch } from '../../src/did-you-mean.ts';
import { parseJsonExact } from '../../src/exact-json.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { parseWebUrl } from '../../src/web-url.ts';
import { isDeeperThan } from '../json-depth.ts';
import { ToolError } from '../tool-error.ts';
import type { Tool } from './tool.ts';
import { checkUrlFields } from './url-fields.ts';

/** String argument. The core checks lengths and patterns, so the JSON Schema spends no tokens on them. */
export const text = (description: string) => z.string().describe(description);
/** Web URL in its canonical form, so that what is shown is what is sent. The tool itself rejects an invalid one. */
export const webUrl = (description: string) =>
  z
    .string()
    .overwrite((value) => parseWebUrl(value).url?.href ?? value)
    .describe(description);
export const flag = (description: string) => z.boolean().describe(description);
export const textList = (description: string) => z.array(z.string()).describe(description);
export const object = (description: string) => z.record(z.string(), z.unknown()).describe(description);

/** Plain argument of most create tools. */
export const NameShape = { name: text('Its name.').optional() };

/** Whole number, with a description. */
export const integer = (description: string) =>
  z.number().refine(Number.isInteger, 'must be a whole number').meta({ type: 'integer', description });

/** People as texts; objects with `email` are accepted too, because models write them. */
export const people = (description: string) => z.array(z.unknown()).meta({ items: { type: 'string' }, description });

const PERSON = /^\s*(?:"?(?<name>[^"<>]*?)"?\s*<)?(?<email>[^\s<>@,;]+@[^\s<>@,;]+\.[^\s<>@,;]+)>?\s*$/;

/** Reads `ann@example.com`, `Ann Lee <ann@example.com>` or an object. Returns undefined for anything else. */
export function parsePerson(value: unknown): (JsonObject & { readonly email: string }) | undefined {
  const { email, ...more } = isObject(value) ? value : {};
  const groups = PERSON.exec(String(email ?? value))?.groups;
  if (groups?.['email'] === undefined) return undefined;
  return { email: groups['email'], ...(groups['name'] ? { name: groups['name'] } : {}), ...more };
}

/** Reads a list of people. @throws ToolError for anything else */
export function parsePeople(values: readonly unknown[], argument: string): (JsonObject & { readonly email: string })[] {
  return values.map((value, index) => {
    const person = parsePerson(value);
    if (!person)
      throw new ToolError(
        'invalid_arguments',
        `${argument}[${index}]: must be an email address, as ann@example.com or Ann Lee <ann@example.com>.`,
      );
    return person;
  });
}

/** Plain arguments of a draft. */
export const DraftShape = {
  ...NameShape,
  recipients: people('People, as ann@example.com or Ann Lee <ann@example.com>.').optional(),
};

export function parseDraft({ name, recipients }: JsonObject) {
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(Array.isArray(recipients) ? { recipients: parsePeople(recipients, 'recipients') } : {}),
  };
}

export const Limit = z
  .number()
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= 1000, 'must be a whole number from 1 to 1000')
  .meta({ type: 'integer', description: 'Maximum number of items, 1 to 1000.' });

/** Arguments of every list. `query` holds the service's own parameters, which its document does not show (§4). */
export const ListArguments = z.strictObject({
  limit: Limit.optional(),
  cursor: text('next_cursor of the previous page.').optional(),
  match: text('Text in the name, email, company, tag or URL.').optional(),
  since: text('Earliest creation date (YYYY-MM-DD, UTC).').optional(),
  until: text('Latest creation date, inclusive.').optional(),
  query: object('Extra API query parameters.').optional(),
  detail: text('"full" for all fields, or "brief" (default).').optional(),
});

const ConfirmToken = text('From the preview, after the user approved it.').optional();

/** Input schema of a tool, with `confirm_token` if its action can be confirmed by token. */
export function getInputSchema(tool: Tool, withToken: boolean): z.ZodObject {
  return withToken ? tool.inputSchema.extend({ confirm_token: ConfirmToken }) : tool.inputSchema;
}

/** JSON Schema for the host: flat, without keywords that only cost tokens. */
export function toHostJsonSchema(schema: z.ZodObject): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  const properties = Object.entries(rest.properties ?? {}).map(([name, property]) => {
    if (typeof property === 'boolean') return [name, property];
    const { propertyNames: __, additionalProperties: ___, ...cleanProperty } = property;
    return [name, cleanProperty];
  });
  return { ...rest, properties: Object.fromEntries(properties) };
}

/** @throws ToolError that names each invalid argument, and the closest match for each unknown one. */
export function parseArguments(schema: z.ZodObject, raw: unknown): JsonObject {
  const knownNames = Object.keys(schema.shape);
  const input = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {};
  // Checked before anything is copied: `__proto__` is an unknown name like any other.
  const unknown = Object.keys(input).filter((name) => !knownNames.includes(name));
  if (unknown.length > 0) throw new ToolError('invalid_arguments', describeUnknown(unknown, knownNames));
  const args: JsonObject = {};
  for (const [name, value] of Object.entries(input)) {
    // Hosts send null or '' for an optional field that a user left blank.
    if ((value === null || value === '') && schema.shape[name]?.isOptional()) continue;
    args[name] = parseJsonText(value, schema.shape[name]);
    if (isDeeperThan(MAX_DEPTH, args[name]))
      throw new ToolError('invalid_arguments', `${name}: must not be nested deeper than ${MAX_DEPTH} levels.`);
  }
  const parsed = schema.safeParse(args);
  if (parsed.success) {
    checkUrlFields('fields', parsed.data['fields']);
    return parsed.data;
  }
  const issues = parsed.error.issues.slice(0, 5).map((issue) => {
    const name = issue.path.join('.');
    const isMissing = issue.path.length === 1 && !Object.hasOwn(args, name);
    return isMissing ? `${name} is missing` : `${name}: ${issue.message}`;
  });
  throw new ToolError('invalid_arguments', `${issues.join('; ')}.`);
}

const MAX_DEPTH = 32;

/** Some hosts send objects, arrays, numbers and booleans as JSON text. */
function parseJsonText(value: unknown, schema: unknown): unknown {
  if (typeof value !== 'string') return value;
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodNumber) return /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
  if (inner instanceof z.ZodBoolean) return { true: true, false: false }[value.trim()] ?? value;
  if (!/^\s*[[{]/.test(value)) return value;
  if (!(inner instanceof z.ZodRecord || inner instanceof z.ZodArray)) return value;
  try {
    return parseJsonExact(value);
  } catch {
    return value;
  }
}

function describeUnknown(unknown: readonly string[], knownNames: readonly string[]): string {
  const parts = unknown.slice(0, 5).map((name) => {
    const suggestion = findClosestMatch(name, knownNames);
    const quotedName = JSON.stringify(name.slice(0, 64));
    return `Unknown argument ${quotedName}${suggestion ? `; did you mean "${suggestion}"?` : '.'}`;
  });
  const list = knownNames.length > 0 ? ` Arguments: ${knownNames.join(', ')}.` : ' This tool takes no arguments.';
  const fields = knownNames.includes('fields') ? ' Put other API fields into "fields".' : '';
  return `${parts.join(' ')}${list}${fields}`;
}

/**
 * Merges named arguments and `fields`. If `fields.extra` is an object, it is sent unchanged, even names that look like
 * typos of documented ones; any other `extra` is a field of the service.
 * @throws ToolError if an argument and `fields` set the same field.
 */
export function mergeFields(args: JsonObject): JsonObject {
  const { fields, ...named } = args;
  if (!isObject(fields)) return named;
  const duplicateName = Object.keys(named).find((name) => named[name] !== undefined && Object.hasOwn(fields, name));
  if (duplicateName !== undefined)
    throw new ToolError(
      'invalid_arguments',
      `fields.${duplicateName}: use only the argument ${duplicateName} for this field.`,
    );
  const { extra } = fields;
  const extraField = extra === undefined || isObject(extra) ? {} : { extra: { extra } };
  return { ...fields, ...extraField, ...named };
}
