import type { Tool } from '../tool/tool.ts';
import { tools } from '../tools/index.ts';
import type { ToolDefinition } from './tool-definition.ts';

const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));

export function findTool({ name, fallbackIndex }: ToolDefinition): Tool {
  const tool = toolsByName.get(name);
  const found = fallbackIndex === undefined ? tool : tool?.fallbacks?.[fallbackIndex]?.tool;
  if (!found) throw new Error(`No tool ${name}`);
  return found;
}
