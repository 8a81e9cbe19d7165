import { tools } from '../tools/index.ts';
import { toToolDefinition } from './to-tool-definition.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Every tool as it is listed. The build replaces this module by its value (`scripts/listed-module.ts`). */
export const toolDefinitions: readonly ToolDefinition[] = tools.map(toToolDefinition);
