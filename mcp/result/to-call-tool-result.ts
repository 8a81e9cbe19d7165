import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { redactSecretFields, redactSecretValues } from './redact-secrets.ts';
import { fitToBudget } from './token-budget.ts';
import { findUntrustedPaths } from './untrusted-paths.ts';

/** The one place that knows what a result looks like: the same data for hosts that read either half. */
export function toCallToolResult(result: ToolResult, secrets: readonly string[] = []): CallToolResult {
  const clean = redactSecretValues(
    redactSecretFields(result.data, result.unredactedFields ?? []),
    secrets,
  ) as JsonObject;
  const { data, isTruncated } = fitToBudget(clean);
  const untrusted = findUntrustedPaths(data, result.trustedFields);
  const annotated = {
    ...data,
    ...(isTruncated ? { cut: 'Long texts and lists were cut to fit.' } : {}),
    ...(untrusted.length > 0 ? { untrusted } : {}),
  };
  const _meta = result.meta && (redactSecretValues(result.meta, secrets) as JsonObject);
  return {
    content: [{ type: 'text', text: JSON.stringify(annotated) }],
    structuredContent: annotated,
    ...(_meta ? { _meta } : {}),
  };
}
