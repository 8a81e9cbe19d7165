import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { redactSecretFields, redactSecretValues } from './redact-secrets.ts';
import { fitToBudget } from './token-budget.ts';
import { findUntrustedPaths } from './untrusted-paths.ts';

/** Converts a result to the protocol: `content` and `structuredContent` hold the same data. */
export function toCallToolResult(result: ToolResult, secrets: readonly string[] = []): CallToolResult {
  const clean = redactSecretValues(
    redactSecretFields(result.data, result.unredactedFields ?? []),
    secrets,
  ) as JsonObject;
  const { data, isTruncated } = fitToBudget(clean);
  const untrusted = findUntrustedPaths(data, result.trustedFields);
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
