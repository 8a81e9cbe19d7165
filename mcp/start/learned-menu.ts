import { isObject, type JsonObject } from '../../src/answer/fields.ts';
import type { ServiceProfile } from '../../src/profile/format.ts';
import { getArgumentProfile } from '../contract/learned.ts';
import { LEARNED_ARGUMENTS, type LearnedArgument } from '../contract/learned-arguments.ts';
import { countPieces, describeLearned, TOOL_TOKENS } from '../contract/learned-words.ts';
import type { ListedTool } from '../menu/listed-tool.ts';
import { getViewMeta } from '../views/register-views.ts';

/** What the estimate misses of a tool's own words and punctuation, at most. */
const MISSED = { fields: 12, query: 15 } as const;

/** The same tools, whose `fields` and `query` name what a profile knows of them, as far as a tool's tokens reach. */
export function learnedMenu(tools: readonly ListedTool[], profile: ServiceProfile): readonly ListedTool[] {
  return tools.map((tool) => {
    const told = LEARNED_ARGUMENTS.reduce((one, argument) => learnedTool(one, { argument, profile }), tool);
    return tool.instead
      ? {
          ...told,
          instead: tool.instead.map((one) => ({
            ...one,
            tool: learnedMenu([one.tool], profile)[0] ?? one.tool,
          })),
        }
      : told;
  });
}

function learnedTool(
  tool: ListedTool,
  { argument, profile }: { argument: LearnedArgument; profile: ServiceProfile },
): ListedTool {
  const { inputSchema, confirmedSchema, operation } = tool;
  const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  if (!Object.hasOwn(properties, argument)) return tool;
  const learned = getArgumentProfile(profile, operation, argument);
  if (!learned) return tool;
  const bare = described(confirmedSchema ?? inputSchema, { argument, description: '' });
  const { name, title, description, outputSchema, hints } = tool;
  const listed = {
    name,
    title,
    description,
    inputSchema: bare,
    annotations: hints,
    outputSchema,
    ...getViewMeta(tool),
  };
  const room = TOOL_TOKENS - countPieces(JSON.stringify(listed)) - MISSED[argument];
  const words = describeLearned(learned, { room, left: Object.keys(properties) });
  if (words === undefined) return tool;
  return {
    ...tool,
    inputSchema: described(inputSchema, { argument, description: words }),
    ...(confirmedSchema
      ? { confirmedSchema: described(confirmedSchema, { argument, description: words }) }
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
