import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { toListedTool } from '../server-factory.ts';
import { getArgumentProfile } from '../tool/argument-profile.ts';
import { describeArgument, estimateWordTokens, MAX_TOOL_TOKENS } from '../tool/describe-argument.ts';
import { PROFILED_ARGUMENTS, type ProfiledArgument } from '../tool/profiled-arguments.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';

/** Maximum tokens that the estimate misses. */
const ESTIMATE_MARGIN = { fields: 20, query: 21 } as const;

/** Adds what the profile knows about `fields` and `query` to their descriptions, within each tool's token budget. */
export function applyProfile(tools: readonly ToolDefinition[], profile: ServiceProfile): readonly ToolDefinition[] {
  return tools.map((tool) => {
    const describedTool = PROFILED_ARGUMENTS.reduce(
      (current, argument) => applyProfileToArgument(current, { argument, profile }),
      tool,
    );
    const fallbacks = tool.fallbacks?.map((fallback) => ({
      ...fallback,
      tool: applyProfile([fallback.tool], profile)[0] ?? fallback.tool,
    }));
    return { ...describedTool, fallbacks };
  });
}

function applyProfileToArgument(
  tool: ToolDefinition,
  { argument, profile }: { argument: ProfiledArgument; profile: ServiceProfile },
): ToolDefinition {
  const { inputSchema, inputSchemaWithToken, operation } = tool;
  const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  if (!Object.hasOwn(properties, argument)) return tool;
  const learned = getArgumentProfile(profile, operation, argument);
  if (!learned) return tool;
  const undescribed = withDescription(inputSchemaWithToken ?? inputSchema, { argument, description: '' });
  const definition = toListedTool({ ...tool, inputSchema: undescribed }, 'auto');
  const tokenBudget = MAX_TOOL_TOKENS - estimateWordTokens(JSON.stringify(definition)) - ESTIMATE_MARGIN[argument];
  const argumentDescription = describeArgument(learned, { maxTokens: tokenBudget, exclude: Object.keys(properties) });
  if (argumentDescription === undefined) return tool;
  const describe = (schema: JsonObject) => withDescription(schema, { argument, description: argumentDescription });
  return {
    ...tool,
    inputSchema: describe(inputSchema),
    ...(inputSchemaWithToken ? { inputSchemaWithToken: describe(inputSchemaWithToken) } : {}),
  };
}

function withDescription(
  schema: JsonObject,
  { argument, description }: { argument: string; description: string },
): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const property = properties[argument];
  return {
    ...schema,
    properties: { ...properties, [argument]: { ...(isObject(property) ? property : {}), description } },
  };
}
