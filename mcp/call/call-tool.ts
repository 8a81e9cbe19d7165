import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/answer/fields.ts';
import type { Account } from '../account/account.ts';
import { resultOf } from '../answer/answer.ts';
import { hashOf } from '../canonical.ts';
import { argumentsOf, parseArguments } from '../contract/arguments.ts';
import { createProgress, type Progress } from '../contract/progress.ts';
import { type Act, isReadOnly, type Tool, type ToolAnswer, type ToolContext } from '../contract/tool.ts';
import type { FileDoor } from '../files/file-door.ts';
import type { Audit, ConfirmedBy } from '../record/audit.ts';
import type { Log } from '../record/log.ts';
import { audited, createCallLog } from '../record/record-call.ts';
import type { FormDoor, Gate } from './gate.ts';
import { type RepeatGuard, repeated } from './repeat-guard.ts';

/** `auto`: acts that can't be undone or open something up; `always`: every write; `off`: none. */
export type ConfirmMode = 'auto' | 'always' | 'off';

/** What all calls of a process share. */
export interface Services {
  readonly confirm: ConfirmMode;
  readonly gate: Gate;
  readonly repeats: RepeatGuard;
  readonly files: FileDoor;
  readonly log?: Log;
  readonly audit?: Audit;
}

export interface CallScene {
  readonly services: Services;
  readonly account: Account;
  readonly forms: FormDoor;
  readonly mcp: ServerContext;
}

/** Whether a tool's calls may have to be confirmed, so that it takes a confirm_token. */
export function takesToken(tool: Tool, confirm: ConfirmMode): boolean {
  return tool.gate !== undefined || (confirm === 'always' && !isReadOnly(tool));
}

/** One call, from its raw arguments to its result: the only place where gate, guard and errors meet. */
export async function callTool(
  tool: Tool,
  raw: unknown,
  scene: CallScene,
): Promise<CallToolResult | InputRequiredResult> {
  const progress = createProgress(scene.mcp);
  const logged = createCallLog(scene.services.log, tool);
  try {
    const result = await runTool(tool, raw, { ...scene, progress });
    logged('answered');
    return result;
  } catch (error) {
    const { describeFailure, failureResult } = await import('../answer/failure.ts');
    const failure = describeFailure(error, { secrets: scene.account.secrets, tool });
    logged(String(failure['code']));
    return failureResult(failure);
  } finally {
    progress.done();
  }
}

async function runTool(
  tool: Tool,
  raw: unknown,
  scene: CallScene & { progress: Progress },
): Promise<CallToolResult | InputRequiredResult> {
  const { services, account, mcp, progress } = scene;
  const schema = argumentsOf(tool, takesToken(tool, services.confirm));
  const { confirm_token: token, ...args } = parseArguments(schema, raw);
  const client = await account.client();
  const { signal } = mcp.mcpReq;
  const options = { signal, onWait: progress.wait };
  const context: ToolContext = { client, options, progress, files: services.files };

  const binding = { tool: tool.name, args, account: account.fingerprint };
  const key = `${binding.account}\n${tool.name}\n${hashOf(args)}`;
  const first = tool.once ? await services.repeats.find(key) : undefined;
  if (first) return resultOf(repeated(first));

  const act = actOf(tool, args, services.confirm);
  let confirmed: ConfirmedBy = 'not_asked';
  if (act) {
    const verdict = await services.gate.check(
      {
        binding,
        token: typeof token === 'string' ? token : undefined,
        will: act.will,
        look: async () => act.look?.(context),
      },
      mcp,
      scene.forms,
    );
    if (!verdict.go) return 'ask' in verdict ? verdict.ask : resultOf(verdict.answer);
    confirmed = verdict.by;
  }
  signal.throwIfAborted();
  const { audit } = services;
  const run = (): Promise<ToolAnswer> =>
    audited(() => tool.run(context, args), { audit, tool, args, account, confirmed });
  return resultOf(tool.once ? await services.repeats.run(key, run) : await run());
}

function actOf(tool: Tool, args: JsonObject, confirm: ConfirmMode): Act | undefined {
  if (confirm === 'off') return undefined;
  const act = tool.gate?.(args);
  if (act || confirm === 'auto' || isReadOnly(tool)) return act;
  return { will: `${tool.title} with ${JSON.stringify(args)}.` };
}
