import type { Tool } from '../tool/tool.ts';
import { tools } from '../tools/index.ts';
import type { ToolDefinition } from './tool-definition.ts';

const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));

export function findTool({ name, fallbackIndex }: ToolDefinition): Tool {
  const listed = toolsByName.get(name);
  const tool = fallbackIndex === undefined ? listed : listed?.fallbacks?.[fallbackIndex]?.tool;
  if (!tool) throw new Error(`No tool ${name}`);
  return tool;
}
