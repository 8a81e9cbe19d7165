import { getInputSchema, toHostJsonSchema } from '../contract/arguments.ts';
import {
  getAnnotations,
  getGroup,
  getGroups,
  getScope,
  type Instead,
  isReadOnly,
  type Tool,
} from '../contract/tool.ts';
import type { ListedTool } from './listed-tool.ts';

/** Whatever a menu and a host want to know of a tool. */
export function listTool(tool: Tool): ListedTool {
  const { name, title, description, answers, across, instead } = tool;
  return {
    name,
    title,
    description,
    inputSchema: toHostJsonSchema(getInputSchema(tool, false)),
    ...(isReadOnly(tool) ? {} : { confirmedSchema: toHostJsonSchema(getInputSchema(tool, true)) }),
    outputSchema: answers,
    hints: getAnnotations(tool),
    operation: tool.operations[0],
    group: getGroup(tool),
    groups: getGroups(tool),
    scope: getScope(tool),
    ...(across === undefined ? {} : { across }),
    gated: tool.gate !== undefined,
    ...(instead ? { instead: instead.map(listInstead) } : {}),
  };
}

function listInstead({ without, tool }: Instead<Tool>, insteadAt: number): Instead<ListedTool> {
  return { without, tool: { ...listTool(tool), insteadAt } };
}
