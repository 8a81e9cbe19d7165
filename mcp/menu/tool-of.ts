import type { Tool } from '../contract/tool.ts';
import { tools } from '../tools/index.ts';
import type { ListedTool } from './listed-tool.ts';

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** The tool that was listed. */
export function findTool({ name, insteadAt }: ListedTool): Tool {
  const tool = byName.get(name);
  const meant = insteadAt === undefined ? tool : tool?.fallbacks?.[insteadAt]?.tool;
  if (!meant) throw new Error(`No tool ${name}`);
  return meant;
}
