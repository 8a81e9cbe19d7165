import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/answer/fields.ts';
import type { ToolResult } from '../contract/tool.ts';
import { fitted } from './budget.ts';
import { withoutKeys, withoutSecrets } from './secrets.ts';
import { untrustedPaths } from './untrusted.ts';

/** The one place that knows what a result looks like: the same data for hosts that read either half. */
export function toCallToolResult(answer: ToolResult, keys: readonly string[] = []): CallToolResult {
  const clean = withoutKeys(withoutSecrets(answer.data, answer.unredactedFields ?? []), keys) as JsonObject;
  const { data, cut } = fitted(clean);
  const untrusted = untrustedPaths(data, answer.trustedFields);
  const marked = {
    ...data,
    ...(cut ? { cut: 'Long texts and lists were cut to fit.' } : {}),
    ...(untrusted.length > 0 ? { untrusted } : {}),
  };
  const _meta = answer.meta && (withoutKeys(answer.meta, keys) as JsonObject);
  return {
    content: [{ type: 'text', text: JSON.stringify(marked) }],
    structuredContent: marked,
    ...(_meta ? { _meta } : {}),
  };
}
