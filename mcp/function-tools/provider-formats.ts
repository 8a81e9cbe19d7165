import { isObject, type JsonObject } from '../../src/records/fields.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import type { AiSdkTool, FormatOptions, OpenAiFunction, ProviderFormats, Tools } from './tools.ts';

/** Describes the tools as each provider expects them. */
export function formatForProviders(tools: readonly ToolDefinition[], call: Tools['call']): ProviderFormats {
  const toFunction = (
    { name, description, inputSchema }: ToolDefinition,
    { strict = true }: FormatOptions,
  ): OpenAiFunction => {
    const strictSchema = strict ? toStrictSchema(inputSchema) : undefined;
    return { name, description, parameters: strictSchema ?? inputSchema, strict: strictSchema !== undefined };
  };
  return {
    openai: (options = {}) => tools.map((tool) => ({ type: 'function', ...toFunction(tool, options) })),
    openaiChat: (options = {}) => tools.map((tool) => ({ type: 'function', function: toFunction(tool, options) })),
    anthropic: ({ strict = false } = {}) =>
      tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: { ...inputSchema, type: 'object' },
        ...(strict && toStrictSchema(inputSchema) ? { strict } : {}),
      })),
    aiSdk: ({ strict = false } = {}) =>
      Object.fromEntries(
        tools.map((tool) => {
          const { name, description, ...formatted } = toFunction(tool, { strict });
          const toJson = () => formatted.parameters;
          const inputSchema: AiSdkTool['inputSchema'] = {
            '~standard': {
              version: 1,
              vendor: 'docshare',
              validate: (value) => ({ value }),
              jsonSchema: { input: toJson, output: toJson },
            },
          };
          const execute: AiSdkTool['execute'] = async (args, { abortSignal } = {}) =>
            (await call(name, args, { signal: abortSignal })).data;
          return [name, { description, inputSchema, execute, ...(formatted.strict ? { strict: true } : {}) }];
        }),
      ),
  };
}

/**
 * Requires every argument, as strict modes do: an optional one may be null, which counts as left out.
 * Returns undefined if an argument is an object with any fields, which strict modes reject.
 */
function toStrictSchema(schema: JsonObject): JsonObject | undefined {
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const takesAnyFields = (value: unknown): boolean =>
    isObject(value) && (value['type'] === 'object' || takesAnyFields(value['items']));
  if (properties.some(([, property]) => takesAnyFields(property))) return undefined;
  const strictProperties = properties.map(([name, property]) => {
    if (!isObject(property) || required.includes(name)) return [name, property];
    return [name, { ...property, type: [property['type'], 'null'] }];
  });
  return { ...schema, properties: Object.fromEntries(strictProperties), required: properties.map(([name]) => name) };
}
