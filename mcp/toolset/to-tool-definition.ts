import { getInputSchema, toHostJsonSchema } from '../tool/arguments.ts';
import {
  getAnnotations,
  getGroup,
  getGroups,
  getScope,
  isReadOnly,
  type Tool,
  type ToolFallback,
} from '../tool/tool.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Converts a tool to the JSON that is listed. */
export function toToolDefinition(tool: Tool): ToolDefinition {
  const { name, title, description, outputSchema, spans, fallbacks } = tool;
  return {
    name,
    title,
    description,
    inputSchema: toHostJsonSchema(getInputSchema(tool, false)),
    ...(isReadOnly(tool) ? {} : { inputSchemaWithToken: toHostJsonSchema(getInputSchema(tool, true)) }),
    outputSchema,
    annotations: getAnnotations(tool),
    operation: tool.operations[0],
    group: getGroup(tool),
    groups: getGroups(tool),
    scope: getScope(tool),
    ...(spans === undefined ? {} : { spans }),
    mayNeedConfirmation: tool.confirmation !== undefined,
    ...(fallbacks ? { fallbacks: fallbacks.map(toFallbackDefinition) } : {}),
  };
}

function toFallbackDefinition(
  { without, tool }: ToolFallback<Tool>,
  fallbackIndex: number,
): ToolFallback<ToolDefinition> {
  return { without, tool: { ...toToolDefinition(tool), fallbackIndex } };
}
