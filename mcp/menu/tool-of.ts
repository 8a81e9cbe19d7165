import type { Tool } from '../contract/tool.ts';
import { tools } from '../tools/index.ts';
import type { ListedTool } from './listed-tool.ts';

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** The tool that was listed. */
export function toolOf({ name, isInstead }: ListedTool): Tool {
  const tool = byName.get(name);
  const meant = isInstead ? tool?.instead?.tool : tool;
  if (!meant) throw new Error(`No tool ${name}`);
  return meant;
}
