import { tools } from '../tools/index.ts';
import { toToolDefinition } from './to-tool-definition.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * Every tool as it is listed. The build writes the value of this in the place of this module (`scripts/listed-module.ts`),
 * so that a server which has only to list its tools loads none of them.
 */
export const toolDefinitions: readonly ToolDefinition[] = tools.map(toToolDefinition);
