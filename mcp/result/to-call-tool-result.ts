import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { redactSecretFields, redactSecretValues } from './redact-secrets.ts';
import { fitToBudget } from './token-budget.ts';
import { findUntrustedPaths } from './untrusted-paths.ts';

/** Texts at any depth. */
export function collectTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}

/** Converts a result to the protocol: `content` and `structuredContent` hold the same data. `args`: what the caller sent. */
export function toCallToolResult(
  result: ToolResult,
  secrets: readonly string[],
  args: JsonObject = {},
): CallToolResult {
  const clean = redactSecretValues(redactSecretFields(result.data, result.unredactedFields), secrets) as JsonObject;
  const { data, isTruncated } = fitToBudget(clean);
  const untrusted = findUntrustedPaths(data, result.trustedFields, new Set(collectTexts(args)));
  const annotated = {
    ...data,
    ...(isTruncated ? { truncated: 'Long texts and lists were shortened to fit.' } : {}),
    ...(untrusted.length > 0 ? { untrusted } : {}),
  };
  const _meta = result.meta && (redactSecretValues(result.meta, secrets) as JsonObject);
  return {
    content: [{ type: 'text', text: JSON.stringify(annotated) }],
    structuredContent: annotated,
    ...(_meta ? { _meta } : {}),
  };
}
