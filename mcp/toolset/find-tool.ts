import type { Tool } from '../tool/tool.ts';
import { tools } from '../tools/index.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** A fallback is found by the name of its tool and its index. */
const toolsByKey = new Map(
  tools.flatMap((tool): [string, Tool][] => [
    [tool.name, tool],
    ...(tool.fallbacks ?? []).map((fallback, index): [string, Tool] => [`${tool.name} ${index}`, fallback.tool]),
  ]),
);

export function findTool({ name, fallbackIndex }: ToolDefinition): Tool {
  const tool = toolsByKey.get([name, fallbackIndex ?? []].flat().join(' '));
  if (!tool) throw new Error(`No tool ${name}`);
  return tool;
}
