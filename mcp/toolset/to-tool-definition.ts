import { getInputSchema, toHostJsonSchema } from '../tool/arguments.ts';
import type { Tool } from '../tool/tool.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Converts a tool to the JSON that is listed. */
export function toToolDefinition(tool: Tool): ToolDefinition {
  const { name, title, description, outputSchema, annotations, group, groups, scope, spans, fallbacks } = tool;
  return {
    ...{ name, title, description, outputSchema, annotations, group, groups, scope, spans },
    inputSchema: toHostJsonSchema(getInputSchema(tool, false)),
    ...(annotations.readOnlyHint ? {} : { inputSchemaWithToken: toHostJsonSchema(getInputSchema(tool, true)) }),
    operation: tool.operations[0],
    mayNeedConfirmation: tool.confirmation !== undefined,
    fallbacks: fallbacks?.map(({ without, tool: fallback }, fallbackIndex) => ({
      without,
      tool: { ...toToolDefinition(fallback), fallbackIndex },
    })),
  };
}
