import { getInputSchema, toHostJsonSchema } from '../contract/arguments.ts';
import {
  getAnnotations,
  getGroup,
  getGroups,
  getScope,
  isReadOnly,
  type Tool,
  type ToolFallback,
} from '../contract/tool.ts';
import type { ListedTool } from './listed-tool.ts';

/** Whatever a menu and a host want to know of a tool. */
export function listTool(tool: Tool): ListedTool {
  const { name, title, description, outputSchema, spans, fallbacks } = tool;
  return {
    name,
    title,
    description,
    inputSchema: toHostJsonSchema(getInputSchema(tool, false)),
    ...(isReadOnly(tool) ? {} : { confirmedSchema: toHostJsonSchema(getInputSchema(tool, true)) }),
    outputSchema: outputSchema,
    hints: getAnnotations(tool),
    operation: tool.operations[0],
    group: getGroup(tool),
    groups: getGroups(tool),
    scope: getScope(tool),
    ...(spans === undefined ? {} : { spans }),
    gated: tool.confirmation !== undefined,
    ...(fallbacks ? { instead: fallbacks.map(listInstead) } : {}),
  };
}

function listInstead({ without, tool }: ToolFallback<Tool>, insteadAt: number): ToolFallback<ListedTool> {
  return { without, tool: { ...listTool(tool), insteadAt } };
}
