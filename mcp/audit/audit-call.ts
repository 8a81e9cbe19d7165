import { performance } from 'node:perf_hooks';
import type { JsonObject } from '../../src/records/fields.ts';
import type { Account } from '../account/account.ts';
import type { Approval } from '../tool/approval.ts';
import type { Tool, ToolResult } from '../tool/tool.ts';
import type { AuditLog } from './audit.ts';
import type { Log } from './log.ts';

/** Writes an audit line before and after a write. */
export async function runAudited(
  action: () => Promise<ToolResult>,
  params: {
    audit: AuditLog | undefined;
    tool: Tool;
    args: JsonObject;
    account: Account;
    workspace: string | undefined;
    approvedBy: Approval;
  },
): Promise<ToolResult> {
  const { audit, tool, args, account, workspace, approvedBy } = params;
  if (!audit || tool.annotations.readOnlyHint) return action();
  const [apiKey] = account.secrets;
  const record = audit.start({ tool: tool.name, args, apiKey, subject: account.subject, workspace, approvedBy });
  try {
    const result = await action();
    record.end('done', result.data);
    return result;
  } catch (error) {
    const { describeFailure } = await import('../result/describe-failure.ts');
    const { code, document_id, id } = describeFailure(error, {});
    record.end(String(code), { document_id, id });
    throw error;
  }
}

/** The parts of a request's context that are used: the sign-in and the trace. */
export interface ObservedContext {
  readonly http?: { readonly authInfo?: { readonly extra?: Readonly<Record<string, unknown>> } };
  readonly mcpReq: { readonly _meta?: unknown };
}

export type CallObserver = ReturnType<typeof createCallLogger>;

/** Logs the outcome of each call, without its arguments and result. */
export function createCallLogger(log: Log | undefined) {
  return (tool: Tool, _mcp: ObservedContext) => {
    const startedAt = performance.now();
    return {
      run: <Result>(action: () => Promise<Result>) => action(),
      /** @param outcome `ok`, or the error code. */
      end(outcome: string): void {
        const level = outcome === 'internal' ? 'error' : tool.annotations.readOnlyHint ? 'debug' : 'info';
        log?.[level]('call', { tool: tool.name, outcome, ms: Math.round(performance.now() - startedAt) });
      },
    };
  };
}
