import type { CallToolResult, InputRequiredResult, ResourceLink, ServerContext } from '@modelcontextprotocol/server';
import { getOperation } from '../../src/operations/index.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject, type JsonObject, normalizeName } from '../../src/records/fields.ts';
import type { Account } from '../account/account.ts';
import type { AuditLog } from '../audit/audit.ts';
import { type CallObserver, createCallLogger, runAudited } from '../audit/audit-call.ts';
import type { Log } from '../audit/log.ts';
import { computeHmac, toCanonicalJson } from '../canonical-json.ts';
import { type Confirmation, carriesAnswer } from '../confirm/confirm.ts';
import type { HostConnection } from '../confirm/confirmable-call.ts';
import type { FileAccess } from '../files/file-access.ts';
import { clipText, formatArguments } from '../result/quote.ts';
import { redactSecretFields, redactSecretValues } from '../result/redact-secrets.ts';
import { toCallToolResult } from '../result/to-call-tool-result.ts';
import type { SharedState, StateProvider } from '../state/shared-state.ts';
import { addTrustedFields } from '../tool/add-trusted-fields.ts';
import type { Approval } from '../tool/approval.ts';
import { getInputSchema, parseArguments } from '../tool/arguments.ts';
import { serializeCanonicalCall } from '../tool/canonical-call.ts';
import type { FileTransfer } from '../tool/file-transfer.ts';
import { formatHeadline } from '../tool/headline.ts';
import type { AccessMode, CreatedObject } from '../tool/key-status.ts';
import { PROFILED_ARGUMENTS } from '../tool/profiled-arguments.ts';
import { createProgressReporter, type ProgressReporter } from '../tool/progress-reporter.ts';
import {
  type ActionEffects,
  getListToolName,
  type Memory,
  PATIENT,
  type PendingAction,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { type IdempotencyStore, toRepeatedResult } from './idempotency.ts';
import type { ShutdownSignals } from './shutdown-signals.ts';
import { warnIgnoredFields } from './warn-ignored-fields.ts';
import { trackWrites } from './write-tracker.ts';

/**
 * `auto`: a person confirms destructive actions and anything that widens access; `always`: every write; `unattended`: like
 * `auto`, but the caller confirms with a token, so a model can approve; `off`: nothing.
 */
export type ConfirmMode = 'auto' | 'always' | 'unattended' | 'off';

/** Shared by all calls of a process. */
export interface Services {
  readonly confirm: ConfirmMode;
  /** Asks hosts to let the user approve each call of a tool that may need confirmation. */
  readonly hostAsks?: boolean;
  readonly mode: AccessMode;
  readonly confirmation: Confirmation;
  readonly state: StateProvider;
  readonly idempotencyStore: IdempotencyStore;
  readonly files: FileAccess;
  readonly log?: Log;
  readonly audit?: AuditLog;
  /** Argument names are checked against it before anything is confirmed or sent. */
  readonly profile?: ServiceProfile | undefined;
  /** Default: logs the end of each call. */
  readonly observeCall?: CallObserver;
  /** Unset if the server waits for its calls to end. */
  readonly shutdown?: ShutdownSignals;
}

export interface ChosenWorkspace {
  readonly workspace: string;
  readonly args: JsonObject;
  readonly account: Account;
  readonly connection: HostConnection;
  readonly fileTransfer: FileTransfer | undefined;
}

export interface CallContext {
  readonly services: Services;
  readonly account: Account;
  readonly connection: HostConnection;
  /** The sign-in behind the call, on a hosted server. */
  readonly signIn?: string | undefined;
  readonly fileTransfer?: FileTransfer | undefined;
  /** With several workspaces, takes the one that a call means from its arguments. @throws ToolError */
  readonly chooseWorkspace?: (input: unknown) => ChosenWorkspace;
  /** Name of the chosen workspace: each question, result and audit line has it. */
  readonly workspace?: string;
  readonly mcp: ServerContext;
  /** Set if the host supports resource links. */
  readonly createResourceLink?: (created: CreatedObject) => ResourceLink | undefined;
}

/** Runs a call, from its raw arguments to its result or error. */
export async function callTool(
  tool: Tool,
  rawArguments: unknown,
  connectionContext: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  let callContext = connectionContext;
  const progress = createProgressReporter(callContext.mcp);
  const { log, observeCall = createCallLogger(log), shutdown } = callContext.services;
  const observedCall = observeCall(tool, callContext.mcp);
  const writeTracker = trackWrites({ signal: callContext.mcp.mcpReq.signal, shutdown, onWait: progress.wait });
  try {
    const { args, ...chosen } = callContext.chooseWorkspace?.(rawArguments) ?? { args: rawArguments };
    callContext = { ...callContext, ...chosen };
    const result = await observedCall.run(() => runTool(tool, args, { ...callContext, progress, writeTracker }));
    observedCall.end('ok');
    return result;
  } catch (caught) {
    const { describeFailure, toFailureResult } = await import('../result/describe-failure.ts');
    const { aborted, reason } = writeTracker.signal;
    const error = aborted && !(caught instanceof ToolError) ? reason : caught;
    const failure =
      aborted && !(error instanceof ToolError)
        ? { code: 'cancelled', message: 'The call was cancelled.' }
        : describeFailure(error, { secrets: callContext.account.secrets, tool });
    if (failure['code'] === 'internal') log?.error('internal', { tool: tool.name, ...describeInternalError(error) });
    observedCall.end(String(failure['code']));
    const { workspace } = callContext;
    return toFailureResult(workspace === undefined ? failure : { workspace, ...failure });
  } finally {
    progress.done();
    writeTracker.dispose();
  }
}

/** Message and source location of an internal error, for the server log only. */
function describeInternalError(error: unknown): { reason: string; at?: string } {
  if (!(error instanceof Error)) return { reason: typeof error };
  const at = /\(?([^\s(]+:\d+:\d+)\)?$/m.exec(error.stack ?? '')?.[1]?.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '');
  return { reason: `${error.name}: ${error.message}`, ...(at === undefined ? {} : { at }) };
}

async function runTool(
  tool: Tool,
  rawArguments: unknown,
  callContext: CallContext & { progress: ProgressReporter; writeTracker: ReturnType<typeof trackWrites> },
): Promise<CallToolResult | InputRequiredResult> {
  const { services, account, mcp, progress, writeTracker, workspace } = callContext;
  const toResult = (result: ToolResult, written?: JsonObject) =>
    toCallToolResult(withWorkspace(result, workspace), account.secrets, written);
  // Every write accepts a token, because a call with an unknown outcome must be confirmed.
  const schema = getInputSchema(tool, !tool.annotations.readOnlyHint && services.confirm === 'unattended');
  const { confirm_token: token, ...args } = parseArguments(schema, rawArguments);
  const recordResponse = services.profile && (await checkArgumentNames(tool, args, services.profile));
  const state = await services.state();
  const client = await account.client();
  const { signal } = writeTracker;
  const fingerprint = account.getSharedFingerprint(state.secret);
  const owner = callContext.signIn === undefined ? fingerprint : `${fingerprint} ${callContext.signIn}`;
  const context: ToolContext = {
    client,
    options: writeTracker.options,
    progress,
    files: services.files,
    fileTransfer: callContext.fileTransfer,
    fingerprint,
    keyStatus: account.keyStatus,
    mode: services.mode,
    memory: createMemory(state, fingerprint),
    signIn: callContext.signIn,
    shutdownStarted: services.shutdown?.started,
    shownFiles: new Map(),
    versionChecks: new Map(),
    recordResponse,
  };
  if (tool.annotations.readOnlyHint) return toResult(await tool.handler(context, args));

  tool.check?.(args, context);
  if (tool.isStatusCheck?.(args)) return toResult(await tool.handler(context, args));
  const { idempotencyStore, confirmation, audit } = services;
  const getIdempotencyKey = (input: JsonObject) =>
    computeHmac(state.secret, `${fingerprint}\n${serializeCanonicalCall(tool, input)}`);
  const idempotencyKey = getIdempotencyKey(args);
  const parts = tool.splitCall?.(args).map(getIdempotencyKey) ?? [];
  const previousCalls = [idempotencyKey, ...parts].map((key) => idempotencyStore.find(key, { signal }));
  const previousCall = (await Promise.all(previousCalls)).find((call) => call !== undefined);
  if (previousCall?.kind === 'done' && tool.deduplicate) return toResult(toRepeatedResult(previousCall));
  const uncertainCall = previousCall?.kind === 'unknown' ? previousCall : undefined;
  const pendingAction = await getPendingAction(tool, args, {
    context,
    confirm: services.confirm,
    uncertainCall,
    isAnswer: carriesAnswer(mcp),
  });
  let approvedBy: Approval = 'not_needed';
  const binding = { tool: tool.name, args: tool.approvedArguments?.(args) ?? args, account: owner };
  const planKey = pendingAction?.isPlan ? computeHmac(state.secret, `plan\n${toCanonicalJson(binding)}`) : undefined;
  if (pendingAction) {
    // People who share a key decline for themselves.
    const owners = [fingerprint, account.subject ?? []].flat().join(' ');
    const toEffectKey = (effect: string) => computeHmac(state.secret, `${owners}\n${normalizeEffect(effect)}`);
    if (!pendingAction.isRoutine && !pendingAction.isHarmless) account.keyStatus.requireScope(tool.scope);
    const confirmationResult = await confirmation.request({
      mcp: { ...mcp, mcpReq: { ...mcp.mcpReq, signal: writeTracker.getPromptSignal() } },
      connection: callContext.connection,
      binding,
      args,
      idempotencyKey,
      // One owner for all workspaces of a sign-in.
      owner: callContext.signIn ?? fingerprint,
      planKey,
      effectKeys: pendingAction.effects.map(toEffectKey),
      coveringKeys: (pendingAction.coveringEffects ?? []).map(toEffectKey),
      isRoutine: pendingAction.isRoutine === true && services.confirm !== 'always' && !uncertainCall,
      isHarmless: pendingAction.isHarmless === true,
      token: typeof token === 'string' ? token : undefined,
      describe: async ({ isRecheck } = { isRecheck: false }) => {
        const patient = { ...context, options: { ...context.options, ...PATIENT } };
        const { about, headline, ...described } = await pendingAction.describe(isRecheck ? patient : context);
        const named = workspace === undefined ? {} : { workspace };
        const description = { ...described, ...named, headline: formatHeadline(headline, workspace) };
        if (!about) return description;
        // Redacted, because it is shown and stored: it may contain signing URLs, among others.
        return { ...description, about: redactSecretValues(redactSecretFields(about), account.secrets) as JsonObject };
      },
    });
    if (!confirmationResult.approved)
      return 'inputRequired' in confirmationResult
        ? confirmationResult.inputRequired
        : toResult(confirmationResult.result);
    approvedBy = confirmationResult.approvedBy;
  }
  const plan = planKey === undefined ? undefined : confirmation.getProgress(planKey);
  const runHandler = () =>
    writeTracker.explainAbort(async () =>
      warnIgnoredFields(await tool.handler({ ...context, approvedBy, ...(plan && { plan }) }, args), { tool, args }),
    );
  let outcome: ToolResult;
  try {
    signal.throwIfAborted();
    outcome = await idempotencyStore.run(
      idempotencyKey,
      () => runAudited(runHandler, { audit, tool, args, account, workspace, approvedBy }),
      { deduplicate: tool.deduplicate === true, mayRepeat: uncertainCall !== undefined, parts, signal },
    );
  } finally {
    // A person who stops a plan is asked before the rest of it runs.
    if (signal.aborted || context.shutdownStarted?.aborted) await plan?.close();
  }
  // Says how the action was approved, so that nobody has to guess.
  const result = toResult(addTrustedFields(outcome, { approved_by: approvedBy }), args);
  const created = getCreatedObject(tool, result);
  const link = created && callContext.createResourceLink?.(created);
  return link ? { ...result, content: [...result.content, link] } : result;
}

const MEMORY_TTL_MS = 30 * 86_400_000;

/** All sign-ins with a key share it. */
export function createMemory(state: SharedState, fingerprint: string): Memory {
  const getStateKey = (name: string) => `memory ${fingerprint} ${name}`;
  return {
    async get(name) {
      const entry = await state.get(getStateKey(name)).catch(() => undefined);
      return typeof entry?.['value'] === 'string' ? entry['value'] : undefined;
    },
    // Without the state, nothing is remembered.
    set: (name, value) => state.put(getStateKey(name), { value }, Date.now() + MEMORY_TTL_MS).catch(() => undefined),
  };
}

/** Spaces, capitals, `documentId` for `document_id`, and lookalikes of characters make no other effect. */
function normalizeEffect(effect: string): string {
  return effect.normalize('NFKC').replace(/[_-]/g, '').replace(/\s+/g, ' ').trim().toLowerCase();
}

function withWorkspace(result: ToolResult, workspace: string | undefined): ToolResult {
  if (workspace === undefined) return result;
  const trustedFields = [...(result.trustedFields ?? []), 'workspace'];
  return { ...result, data: { workspace, ...result.data }, trustedFields };
}

/** Returns the function that records responses. @throws ToolError for names and types that the profile rules out. */
async function checkArgumentNames(
  tool: Tool,
  args: JsonObject,
  profile: ServiceProfile,
): Promise<NonNullable<ToolContext['recordResponse']>> {
  const [{ checkArgument, getArgumentProfile }, { recordResponse }] = await Promise.all([
    import('../tool/argument-profile.ts'),
    import('../tool/observed-fields.ts'),
  ]);
  for (const argument of PROFILED_ARGUMENTS) {
    const argumentProfile = Object.hasOwn(args, argument) && getArgumentProfile(profile, tool.operations[0], argument);
    if (argumentProfile) checkArgument(argumentProfile, args[argument], { tool: tool.name });
  }
  return (operation, records) => recordResponse(profile, operation, records);
}

/** The object that a call created; what is added below another object is not a resource. */
function getCreatedObject(tool: Tool, { structuredContent }: CallToolResult): CreatedObject | undefined {
  const { route, effect } = getOperation(tool.operations[0]);
  if (effect !== 'create' || route.includes('{') || !isObject(structuredContent)) return undefined;
  const { id, name } = structuredContent;
  if (typeof id !== 'string') return undefined;
  return { group: tool.group, id, name: typeof name === 'string' ? clipText(name) : id };
}

/** The action to confirm, if any. @throws ToolError if confirmation is off and an earlier call's outcome is unknown. */
async function getPendingAction(
  tool: Tool,
  args: JsonObject,
  callContext: {
    context: ToolContext;
    confirm: ConfirmMode;
    uncertainCall: { secondsAgo: number } | undefined;
    isAnswer: boolean;
  },
): Promise<PendingAction | undefined> {
  const { context, confirm, uncertainCall, isAnswer } = callContext;
  const warning =
    uncertainCall &&
    `The same request was sent ${uncertainCall.secondsAgo} s ago and its outcome is unknown. Check ${getListToolName(tool) ?? 'the current state'} before retrying.`;
  if (confirm === 'off') {
    if (warning !== undefined) throw new ToolError('unknown_outcome', warning);
    return undefined;
  }
  const toolAction = await tool.confirmation?.(args, context);
  const isHarmless = warning === undefined && confirm !== 'always' && !isAnswer;
  // A declined change of an object is not made by a call that needs no question.
  const isObjectChange = typeof args['id'] === 'string';
  const pendingAction =
    (toolAction?.isHarmless ? { ...toolAction, isHarmless } : toolAction) ??
    (!isHarmless || isObjectChange ? { ...(await getDefaultAction(tool, args, context)), isHarmless } : undefined);
  if (!pendingAction || warning === undefined) return pendingAction;
  return {
    ...pendingAction,
    describe: async (toolContext) => {
      const { notice, ...description } = await pendingAction.describe(toolContext);
      return { ...description, notice: notice === undefined ? warning : `${warning} ${notice}` };
    },
  };
}

/** Action of a tool that normally needs no approval. */
async function getDefaultAction(tool: Tool, args: JsonObject, context: ToolContext): Promise<PendingAction> {
  return {
    ...(await getUnaskedEffects(tool, args, context)),
    async describe(context) {
      const { purpose = '', about } = (await tool.describeNamedObjects?.(args, context)) ?? {};
      const { id: _, ...shown } = args;
      const lines = formatArguments(purpose === '' ? args : shown, { lines: 40, characters: 40 });
      const items = lines.map((line) => line.replace(/^fields\./, ''));
      const before = `${tool.title}${purpose}${items.length === 0 ? '' : ': '}`;
      return { headline: { before, items, noun: 'values' }, about };
    },
  };
}

/** Effects of such an action: what a new object contains, if that identifies it. A decline of its name covers it too. */
async function getUnaskedEffects(tool: Tool, args: JsonObject, context: ToolContext): Promise<ActionEffects> {
  const [byArguments, byContent] = [getDefaultEffects(tool, args), await tool.getNewObjectEffects?.(args, context)];
  if (!byContent) return byArguments;
  return { ...byContent, coveringEffects: [byContent, byArguments].flatMap((one) => one.coveringEffects ?? []) };
}

/**
 * Effects by the arguments alone. Other values of the same fields are the same effect of a change, but not of a new object: a
 * decline of one must not block all others. A name identifies an object only if no other argument does.
 */
function getDefaultEffects(tool: Tool, args: JsonObject): ActionEffects {
  const { id, fields, ...named } = args;
  const target = [tool.operations[0], id].join(' ');
  const all = { ...(isObject(fields) ? fields : {}), ...named };
  const toEffect = (name: string) => `${target} ${normalizeName(name)} ${toCanonicalJson(all[name])}`;
  const identifying = Object.keys(named).filter((name) => name !== 'tags');
  const isNew = id === undefined || getOperation(tool.operations[0]).effect === 'create';
  if (!isNew || identifying.length === 0) {
    const names = Object.keys(all);
    const effects = names.length === 0 ? [target] : names.map((name) => `${target} ${normalizeName(name)}`);
    return { effects, coveringEffects: isNew ? names.map(toEffect) : [] };
  }
  const others = identifying.filter((name) => name !== 'name');
  return {
    effects: (others.length > 0 ? others : identifying).map(toEffect),
    coveringEffects: Object.keys(all).map(toEffect),
  };
}
