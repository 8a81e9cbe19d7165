import { argumentsOf, jsonSchemaOf } from '../contract/arguments.ts';
import {
  groupOf,
  groupsOf,
  hintsOf,
  type Instead,
  isReadOnly,
  scopeOf,
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
    inputSchema: jsonSchemaOf(argumentsOf(tool, false)),
    ...(isReadOnly(tool) ? {} : { confirmedSchema: jsonSchemaOf(argumentsOf(tool, true)) }),
    outputSchema: answers,
    hints: hintsOf(tool),
    operation: tool.operations[0],
    group: groupOf(tool),
    groups: groupsOf(tool),
    scope: scopeOf(tool),
    ...(across === undefined ? {} : { across }),
    gated: tool.gate !== undefined,
    ...(instead ? { instead: instead.map(listInstead) } : {}),
  };
}

function listInstead({ without, tool }: Instead<Tool>, insteadAt: number): Instead<ListedTool> {
  return { without, tool: { ...listTool(tool), insteadAt } };
}
