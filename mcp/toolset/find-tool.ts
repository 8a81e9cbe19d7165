import type { Tool } from '../tool/tool.ts';
import { tools } from '../tools/index.ts';
import type { ToolDefinition } from './tool-definition.ts';

const getKey = (name: string, fallbackIndex: number | undefined) => `${name} ${fallbackIndex}`;

const toolsByKey = new Map<string, Tool>();
for (const tool of tools) {
  toolsByKey.set(getKey(tool.name, undefined), tool);
  for (const [index, fallback] of (tool.fallbacks ?? []).entries())
    toolsByKey.set(getKey(tool.name, index), fallback.tool);
}

export function findTool({ name, fallbackIndex }: ToolDefinition): Tool {
  const tool = toolsByKey.get(getKey(name, fallbackIndex));
  if (!tool) throw new Error(`No tool ${name}`);
  return tool;
}
