import { z } from 'zod';
import { closestMatch } from '../../src/did-you-mean.ts';
import { parseJsonExact } from '../../src/exact-json.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { ToolError } from '../tool-error.ts';
import type { Tool } from './tool.ts';

/** A text. Checks that a JSON Schema would have to carry (length, pattern) stand in the core, where they cost no tokens. */
export const text = (description: string) => z.string().describe(description);
export const flag = (description: string) => z.boolean().describe(description);
export const textList = (description: string) => z.array(z.string()).describe(description);
export const object = (description: string) => z.record(z.string(), z.unknown()).describe(description);

export const Limit = z
  .number()
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= 1000, 'a whole number from 1 to 1000')
  .meta({ type: 'integer', description: 'Most items' });

/**
 * What every list takes; `query` holds the service's own parameters, which its document does not show (§4). Their
 * descriptions are short because they stand in eleven tools; the server's instructions say more.
 */
export const ListArguments = z.strictObject({
  limit: Limit.optional(),
  cursor: text('next_cursor').optional(),
  match: text('In names').optional(),
  since: text('Date').optional(),
  until: text('Date').optional(),
  query: object('As is').optional(),
  detail: text('full').optional(),
});

const ConfirmToken = text('From the preview').optional();

const schemasWithToken = new WeakMap<Tool, z.ZodObject>();

/** The arguments of a tool; one whose act must be confirmed also takes the token. */
export function getInputSchema(tool: Tool, withToken: boolean): z.ZodObject {
  if (!withToken) return tool.inputSchema;
  let schema = schemasWithToken.get(tool);
  if (!schema) {
    schema = tool.inputSchema.extend({ confirm_token: ConfirmToken });
    schemasWithToken.set(tool, schema);
  }
  return schema;
}

const jsonSchemaCache = new WeakMap<z.ZodObject, JsonObject>();

/** The JSON Schema that a host gets: flat, without the noise that costs tokens and says nothing. */
export function toHostJsonSchema(schema: z.ZodObject): JsonObject {
  let json = jsonSchemaCache.get(schema);
  if (!json) {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
    const properties = Object.entries(rest.properties ?? {}).map(([name, property]) => {
      if (typeof property === 'boolean') return [name, property];
      const { propertyNames: __, additionalProperties: ___, ...cleanProperty } = property;
      return [name, cleanProperty];
    });
    json = { ...rest, properties: Object.fromEntries(properties) };
    jsonSchemaCache.set(schema, json);
  }
  return json;
}

/**
 * Checks a call's arguments.
 * @throws ToolError that names each wrong argument, and the nearest known one for each unknown.
 */
export function parseArguments(schema: z.ZodObject, raw: unknown): JsonObject {
  const knownNames = Object.keys(schema.shape);
  const input = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {};
  // Before anything is copied: `__proto__` is a name like any other here, and no argument.
  const unknown = Object.keys(input).filter((name) => !knownNames.includes(name));
  if (unknown.length > 0) throw new ToolError('invalid_arguments', describeUnknown(unknown, knownNames));
  const args: JsonObject = {};
  for (const [name, value] of Object.entries(input)) {
    // Hosts send null or an empty text where a person left an optional field blank.
    if ((value === null || value === '') && schema.shape[name]?.isOptional()) continue;
    args[name] = parseJsonText(value, schema.shape[name]);
    if (isDeeperThan(MAX_DEPTH, args[name]))
      throw new ToolError('invalid_arguments', `${name}: nested deeper than ${MAX_DEPTH} levels.`);
  }
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 5).map((issue) => {
    const name = issue.path.join('.');
    const isMissing = issue.path.length === 1 && !Object.hasOwn(args, name);
    return isMissing ? `${name} is missing` : `${name}: ${issue.message}`;
  });
  throw new ToolError('invalid_arguments', `${issues.join('; ')}.`);
}

/** No object of the service is; walking down a hostile one would end in a full stack. */
const MAX_DEPTH = 32;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** Some hosts send an object, a list, a number or a yes as its JSON text. */
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
    const suggestion = closestMatch(name, knownNames);
    const quotedName = JSON.stringify(name.slice(0, 64));
    return suggestion
      ? `${quotedName} is no argument; did you mean "${suggestion}"?`
      : `${quotedName} is no argument.`;
  });
  const list =
    knownNames.length > 0 ? ` Arguments: ${knownNames.join(', ')}.` : ' This tool takes no arguments.';
  const fields = knownNames.includes('fields') ? ' Other fields of the service go into "fields".' : '';
  return `${parts.join(' ')}${list}${fields}`;
}

/**
 * Named arguments and `fields` as one input. `fields.extra`, an object, is sent as it is, also under names that are near
 * to documented ones; anything else called `extra` is a field of the service's own.
 * @throws ToolError where both say the same field.
 */
export function withFields(args: JsonObject): JsonObject {
  const { fields, ...named } = args;
  if (!isObject(fields)) return named;
  const duplicateName = Object.keys(named).find(
    (name) => named[name] !== undefined && Object.hasOwn(fields, name),
  );
  if (duplicateName !== undefined)
    throw new ToolError(
      'invalid_arguments',
      `fields.${duplicateName}: give it as the argument ${duplicateName} only.`,
    );
  const { extra } = fields;
  const extraField = extra === undefined || isObject(extra) ? {} : { extra: { extra } };
  return { ...fields, ...extraField, ...named };
}
