import { isObject, type JsonObject } from '../../src/answer/fields.ts';
import type { ServiceProfile } from '../../src/profile/format.ts';
import { getArgumentProfile } from '../contract/learned.ts';
import { PROFILED_ARGUMENTS, type ProfiledArgument } from '../contract/learned-arguments.ts';
import { countPieces, describeArgument, MAX_TOOL_TOKENS } from '../contract/learned-words.ts';
import type { ToolDefinition } from '../menu/listed-tool.ts';
import { getViewMeta } from '../views/register-views.ts';

/** What the estimate misses of a tool's own words and punctuation, at most. */
const MISSED = { fields: 12, query: 15 } as const;

/** The same tools, whose `fields` and `query` name what a profile knows of them, as far as a tool's tokens reach. */
export function learnedMenu(
  tools: readonly ToolDefinition[],
  profile: ServiceProfile,
): readonly ToolDefinition[] {
  return tools.map((tool) => {
    const told = PROFILED_ARGUMENTS.reduce((one, argument) => learnedTool(one, { argument, profile }), tool);
    return tool.fallbacks
      ? {
          ...told,
          fallbacks: tool.fallbacks.map((one) => ({
            ...one,
            tool: learnedMenu([one.tool], profile)[0] ?? one.tool,
          })),
        }
      : told;
  });
}

function learnedTool(
  tool: ToolDefinition,
  { argument, profile }: { argument: ProfiledArgument; profile: ServiceProfile },
): ToolDefinition {
  const { inputSchema, inputSchemaWithToken, operation } = tool;
  const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  if (!Object.hasOwn(properties, argument)) return tool;
  const learned = getArgumentProfile(profile, operation, argument);
  if (!learned) return tool;
  const bare = described(inputSchemaWithToken ?? inputSchema, { argument, description: '' });
  const { name, title, description, outputSchema, annotations } = tool;
  const listed = {
    name,
    title,
    description,
    inputSchema: bare,
    annotations: annotations,
    outputSchema,
    ...getViewMeta(tool),
  };
  const room = MAX_TOOL_TOKENS - countPieces(JSON.stringify(listed)) - MISSED[argument];
  const words = describeArgument(learned, { room, exclude: Object.keys(properties) });
  if (words === undefined) return tool;
  return {
    ...tool,
    inputSchema: described(inputSchema, { argument, description: words }),
    ...(inputSchemaWithToken
      ? { inputSchemaWithToken: described(inputSchemaWithToken, { argument, description: words }) }
      : {}),
  };
}

function described(
  schema: JsonObject,
  { argument, description }: { argument: string; description: string },
): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const own = properties[argument];
  return {
    ...schema,
    properties: { ...properties, [argument]: { ...(isObject(own) ? own : {}), description } },
  };
}
