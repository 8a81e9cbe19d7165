import type {
  CallToolResult,
  InputRequiredResult,
  ResourceLink,
  ServerContext,
} from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '../../src/answer/fields.ts';
import { getOperation } from '../../src/operations/index.ts';
import type { ServiceProfile } from '../../src/profile/format.ts';
import type { Account } from '../account/account.ts';
import { toCallToolResult } from '../answer/answer.ts';
import { clipped } from '../answer/projection.ts';
import { withoutKeys, withoutSecrets } from '../answer/secrets.ts';
import { keyedHash } from '../canonical.ts';
import { getInputSchema, parseArguments } from '../contract/arguments.ts';
import { serializeCanonicalCall } from '../contract/deed.ts';
import type { HandOverDoor } from '../contract/hand-over.ts';
import { LEARNED_ARGUMENTS } from '../contract/learned-arguments.ts';
import { createProgress, type Progress } from '../contract/progress.ts';
import type { Made, Mode } from '../contract/sight.ts';
import {
  getGroup,
  getListToolName,
  isReadOnly,
  type PendingAction,
  type Tool,
  type ToolContext,
} from '../contract/tool.ts';
import type { FileDoor } from '../files/file-door.ts';
import type { Audit, ConfirmedBy } from '../record/audit.ts';
import type { Log } from '../record/log.ts';
import { audited, createCallLog, type ObserveCall } from '../record/record-call.ts';
import type { OpenState } from '../state/shared-state.ts';
import { ToolError } from '../tool-error.ts';
import { type DeedLedger, repeated } from './deed-ledger.ts';
import type { FormDoor, Gate } from './gate.ts';
import { noticed } from './notice-fields.ts';
import type { ServerEnd } from './server-end.ts';
import { watchWrites } from './watch-writes.ts';

/**
 * `auto`: acts that can't be undone or open something up; `always`: every write; `token`: as `auto`, by token also where
 * the host says that it shows forms; `off`: none.
 */
export type ConfirmMode = 'auto' | 'always' | 'token' | 'off';

/** What all calls of a process share. */
export interface Services {
  readonly confirm: ConfirmMode;
  readonly mode: Mode;
  readonly gate: Gate;
  readonly state: OpenState;
  readonly ledger: DeedLedger;
  readonly files: FileDoor;
  readonly log?: Log;
  readonly audit?: Audit;
  /** What the service was seen to take: names are checked against it before anything is asked or sent. */
  readonly profile?: ServiceProfile | undefined;
  /** Follows each call; else its end stands in the log. */
  readonly observe?: ObserveCall;
  /** Ends what runs; unset where calls end by themselves before the server does. */
  readonly end?: ServerEnd;
}

export interface CallScene {
  readonly services: Services;
  readonly account: Account;
  readonly forms: FormDoor;
  readonly handOver?: HandOverDoor | undefined;
  readonly mcp: ServerContext;
  /** Where a host of this request can attach objects. */
  readonly linkTo?: (made: Made) => ResourceLink | undefined;
}

/** One call, from its raw arguments to its result: the only place where gate, guard and errors meet. */
export async function callTool(
  tool: Tool,
  raw: unknown,
  scene: CallScene,
): Promise<CallToolResult | InputRequiredResult> {
  const progress = createProgress(scene.mcp);
  const { log, observe = createCallLog(log), end } = scene.services;
  const observed = observe(tool, scene.mcp);
  const watch = watchWrites({ signal: scene.mcp.mcpReq.signal, end, onWait: progress.wait });
  try {
    const result = await observed.run(() => runTool(tool, raw, { ...scene, progress, watch }));
    observed.end('answered');
    return result;
  } catch (thrown) {
    const { describeFailure, failureResult } = await import('../answer/failure.ts');
    const { aborted, reason } = watch.signal;
    const error = aborted && !(thrown instanceof ToolError) ? reason : thrown;
    const failure =
      aborted && !(error instanceof ToolError)
        ? { code: 'cancelled', message: 'The call was cancelled.' }
        : describeFailure(error, { secrets: scene.account.secrets, tool });
    if (failure['code'] === 'internal')
      log?.error('internal', { tool: tool.name, ...describeInternalError(error) });
    observed.end(String(failure['code']));
    return failureResult(failure);
  } finally {
    progress.done();
    watch.release();
  }
}

/** What a fault of our own says, and where: for who runs the server alone. The place is a file and a line of ours. */
function describeInternalError(error: unknown): { reason: string; at?: string } {
  if (!(error instanceof Error)) return { reason: typeof error };
  const at = /\(?([^\s(]+:\d+:\d+)\)?$/m.exec(error.stack ?? '')?.[1]?.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '');
  return { reason: `${error.name}: ${error.message}`, ...(at === undefined ? {} : { at }) };
}

async function runTool(
  tool: Tool,
  raw: unknown,
  scene: CallScene & { progress: Progress; watch: ReturnType<typeof watchWrites> },
): Promise<CallToolResult | InputRequiredResult> {
  const { services, account, mcp, progress, watch } = scene;
  // Every write takes a token: whatever ended in doubt must be confirmed, and only few are listed as such.
  // But where a page asks, no call can carry a yes.
  const schema = getInputSchema(tool, !isReadOnly(tool) && !scene.forms.page);
  const { confirm_token: token, ...args } = parseArguments(schema, raw);
  const noteShown = services.profile && (await checkNames(tool, args, services.profile));
  const state = await services.state();
  const client = await account.client();
  const { signal } = watch;
  const context: ToolContext = {
    client,
    options: watch.options,
    progress,
    files: services.files,
    fileTransfer: scene.handOver,
    fingerprint: account.printFor(state.secret),
    keyStatus: account.sight,
    mode: services.mode,
    noteShown,
  };
  if (isReadOnly(tool)) return toCallToolResult(await tool.handler(context, args), account.secrets);

  const { ledger, gate, audit } = services;
  const binding = { tool: tool.name, args, account: account.printFor(state.secret) };
  const deed = keyedHash(state.secret, `${binding.account}\n${serializeCanonicalCall(tool, args)}`);
  const past = await ledger.find(deed, { signal });
  if (past?.kind === 'done' && tool.deduplicate) return toCallToolResult(repeated(past));
  const inDoubt = past?.kind === 'unknown' ? past : undefined;
  const refused = await gate.refused(deed);
  if (refused) return toCallToolResult(refused);

  const act = await getPendingAction(tool, args, { context, confirm: services.confirm, inDoubt });
  if (scene.forms.decision && !act)
    throw new ToolError('not_confirmed', 'Nothing has to be confirmed here. Nothing was done.');
  let confirmed: ConfirmedBy = 'not_asked';
  if (act) {
    const verdict = await gate.check(
      {
        binding,
        deed,
        token: typeof token === 'string' ? token : undefined,
        will: act.summary,
        look: async () => {
          const about = await act.preview?.(context);
          // It is shown to people and kept for a page, and holds what the service says: addresses to sign with, among others.
          return about && (withoutKeys(withoutSecrets(about, []), account.secrets) as JsonObject);
        },
      },
      { ...mcp, mcpReq: { ...mcp.mcpReq, signal: watch.asking() } },
      scene.forms,
    );
    if (!verdict.go) return 'ask' in verdict ? verdict.ask : toCallToolResult(verdict.answer);
    confirmed = verdict.by;
  }
  signal.throwIfAborted();
  const run = () => watch.explained(async () => noticed(await tool.handler(context, args), { tool, args }));
  const result = toCallToolResult(
    await ledger.run(deed, () => audited(run, { audit, tool, args, account, confirmed }), {
      once: tool.deduplicate === true,
      again: inDoubt !== undefined,
      signal,
    }),
    account.secrets,
  );
  const made = madeBy(tool, result);
  const link = made && scene.linkTo?.(made);
  return link ? { ...result, content: [...result.content, link] } : result;
}

/**
 * Gives what answers are noted by.
 * @throws ToolError for names and types that the profile knows to be wrong.
 */
async function checkNames(
  tool: Tool,
  args: JsonObject,
  profile: ServiceProfile,
): Promise<NonNullable<ToolContext['noteShown']>> {
  const [{ checkLearned, getArgumentProfile }, { noteShown }] = await Promise.all([
    import('../contract/learned.ts'),
    import('../contract/learned-shown.ts'),
  ]);
  for (const argument of LEARNED_ARGUMENTS) {
    const learned =
      Object.hasOwn(args, argument) && getArgumentProfile(profile, tool.operations[0], argument);
    if (learned) checkLearned(learned, args[argument], { tool: tool.name });
  }
  return (operation, records) => noteShown(profile, operation, records);
}

/** The object that a call made; what is added under another object has no address of its own. */
function madeBy(tool: Tool, { structuredContent }: CallToolResult): Made | undefined {
  const { route, effect } = getOperation(tool.operations[0]);
  if (effect !== 'create' || route.includes('{') || !isObject(structuredContent)) return undefined;
  const { id, name } = structuredContent;
  if (typeof id !== 'string') return undefined;
  return { group: getGroup(tool), id, name: typeof name === 'string' ? clipped(name) : id };
}

/** What a person has to agree to. @throws ToolError where nobody is asked and it may have happened already. */
async function getPendingAction(
  tool: Tool,
  args: JsonObject,
  scene: { context: ToolContext; confirm: ConfirmMode; inDoubt: { secondsAgo: number } | undefined },
): Promise<PendingAction | undefined> {
  const { context, confirm, inDoubt } = scene;
  const doubt = inDoubt && formatRepeatWarning(tool, inDoubt.secondsAgo);
  if (confirm === 'off') {
    if (doubt !== undefined) throw new ToolError('unknown_outcome', doubt);
    return undefined;
  }
  const asked = await tool.confirmation?.(args, context);
  const act =
    asked ?? (doubt !== undefined || confirm === 'always' ? { summary: `${tool.title}.` } : undefined);
  return act && doubt !== undefined ? { ...act, summary: `${doubt}\n\n${act.summary}` } : act;
}

function formatRepeatWarning(tool: Tool, secondsAgo: number): string {
  const list = getListToolName(tool);
  const where = list === undefined ? 'Look' : `Look with ${list}`;
  return `The same was asked of the service ${secondsAgo} s ago, and no clear answer came back: it may have happened. ${where} before it is done once more.`;
}
