import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from './tool.ts';

/** Adds fields that this server wrote to a result. */
export function addTrustedFields(result: ToolResult, fields: JsonObject): ToolResult {
  return {
    ...result,
    data: { ...result.data, ...fields },
    trustedFields: [...(result.trustedFields ?? []), ...Object.keys(fields)],
  };
}
