import { tools } from '../tools/index.ts';
import { listTool } from './list-tool.ts';
import type { ListedTool } from './listed-tool.ts';

/**
 * Every tool as it is listed. The build writes the value of this in the place of this module (`scripts/listed-module.ts`),
 * so that a server which has only to list its tools loads none of them.
 */
export const listed: readonly ListedTool[] = tools.map(listTool);
