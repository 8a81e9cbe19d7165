import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { getArgumentProfile } from '../tool/argument-profile.ts';
import { countPieces, describeArgument, MAX_TOOL_TOKENS } from '../tool/describe-argument.ts';
import { PROFILED_ARGUMENTS, type ProfiledArgument } from '../tool/profiled-arguments.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { getViewMeta } from '../views/register-views.ts';

/** What the estimate misses of a tool's own words and punctuation, at most. */
const ESTIMATE_MARGIN = { fields: 12, query: 21 } as const;

/** The same tools, whose `fields` and `query` name what a profile knows of them, as far as a tool's tokens reach. */
export function applyProfile(
  tools: readonly ToolDefinition[],
  profile: ServiceProfile,
): readonly ToolDefinition[] {
  return tools.map((tool) => {
    const describedTool = PROFILED_ARGUMENTS.reduce(
      (one, argument) => applyProfileToArgument(one, { argument, profile }),
      tool,
    );
    return tool.fallbacks
      ? {
          ...describedTool,
          fallbacks: tool.fallbacks.map((one) => ({
            ...one,
            tool: applyProfile([one.tool], profile)[0] ?? one.tool,
          })),
        }
      : describedTool;
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
  const { name, title, description, outputSchema, annotations } = tool;
  const definition = {
    name,
    title,
    description,
    inputSchema: undescribed,
    annotations: annotations,
    outputSchema,
    ...getViewMeta(tool),
  };
  const tokenBudget = MAX_TOOL_TOKENS - countPieces(JSON.stringify(definition)) - ESTIMATE_MARGIN[argument];
  const argumentDescription = describeArgument(learned, {
    maxTokens: tokenBudget,
    exclude: Object.keys(properties),
  });
  if (argumentDescription === undefined) return tool;
  return {
    ...tool,
    inputSchema: withDescription(inputSchema, { argument, description: argumentDescription }),
    ...(inputSchemaWithToken
      ? {
          inputSchemaWithToken: withDescription(inputSchemaWithToken, {
            argument,
            description: argumentDescription,
          }),
        }
      : {}),
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
