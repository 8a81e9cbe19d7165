import type { z } from 'zod';
import type { Effect, Group, OperationName, RequestOptions } from '../../src/index.ts';
import type { OpenClient } from '../../src/open-client.ts';
import { catalog, getOperation } from '../../src/operations/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import type { Scope } from '../../src/scopes.ts';
import type { FileAccess } from '../files/file-access.ts';
import type { Approval } from './approval.ts';
import type { FileTransfer } from './file-transfer.ts';
import type { Headline } from './headline.ts';
import type { AccessMode, KeyStatus } from './key-status.ts';
import type { ProgressReporter } from './progress-reporter.ts';

/** Result of a tool as plain data; `to-call-tool-result.ts` converts it to the protocol. */
export interface ToolResult {
  readonly data: JsonObject;
  /** Paths such as `items.url` of fields that may contain a secret or a presigned URL, because the caller asked for it. */
  readonly unredactedFields?: readonly string[];
  /** Trusted fields: written by the caller or this server, so not flagged as untrusted. */
  readonly trustedFields?: readonly string[];
  /** Fields of a plan that the service's responses did not contain as sent. */
  readonly ignoredFields?: readonly string[];
  /** Data for the view only: hosts keep `_meta` from models. */
  readonly meta?: JsonObject;
  /** Indexes of the calls of `splitCall` that may have run although they failed: they are repeated only after an approval. */
  readonly unknownParts?: readonly number[];
}

/** Remembers texts for some weeks, per key, on all servers that share the state. */
export interface Memory {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
}

/** `done`: it ran before; `changed`: what it affects has changed since the approval; `closed`: the approval has ended. */
export type StepTurn = 'run' | 'done' | 'changed' | 'closed';

/** Options of a read that waits for the next window of the rate limit. */
export const PATIENT = { maxWaitMs: 65_000, deadlineMs: 70_000 };

/** Steps of an approved plan. */
export interface PlanProgress {
  /** Steps that began before: `done`, the code of their error, or `unknown_outcome` if they did not end. */
  getOutcomes(): Promise<ReadonlyMap<string, string>>;
  /** Records how a step ended; undefined if it was not sent and a later call may run it. */
  end(step: string, outcome: string | undefined): Promise<void>;
  /** Records that a step runs now, if it may. */
  begin(step: string, affected: JsonObject): Promise<StepTurn>;
  /** Ends the plan: its approval covers nothing more. */
  close(): Promise<void>;
}

export interface ToolContext {
  readonly client: OpenClient;
  /** Signal and wait hooks of this call: pass them to every request. */
  readonly options: RequestOptions;
  readonly progress: ProgressReporter;
  readonly files: FileAccess;
  /** Set if server and host share no disk. */
  readonly fileTransfer?: FileTransfer | undefined;
  /** Identifies the key without revealing it; equal on all servers that share the state. */
  readonly fingerprint: string;
  /** The sign-in behind the call, on a hosted server. */
  readonly signIn?: string | undefined;
  readonly keyStatus: KeyStatus;
  readonly mode: AccessMode;
  readonly memory: Memory;
  /** SHA-256 of each local file that a question about this call described, by path: no other content is uploaded. */
  readonly shownFiles: Map<string, string>;
  /** Says, by document, whether only the places that were known before the upload of a new version show it now. */
  readonly versionChecks: Map<string, () => Promise<boolean>>;
  /** Set once a write may run. */
  readonly approvedBy?: Approval;
  /** Set if the call carries out an approved plan. */
  readonly plan?: PlanProgress;
  /** Aborts when the server begins to shut down: of several steps, no further one begins. */
  readonly shutdownStarted?: AbortSignal | undefined;
  /** Records fields that differ from the profile; unset without a profile. */
  readonly recordResponse?: ((operation: OperationName, records: readonly unknown[]) => void) | undefined;
}

/** Reads lists, and what was remembered of their items. */
export type ListReader = Pick<ToolContext, 'client' | 'options' | 'memory'>;

/** Action that a user should approve before it happens. */
export interface PendingAction {
  /**
   * Each object and what happens to it, such as `links.delete lnk_1`. A decline holds for every call that has one of them,
   * whatever else it changes.
   */
  readonly effects: readonly string[];
  /** Effects whose decline also holds for this action. A decline of this action does not cover them. */
  readonly coveringEffects?: readonly string[];
  /** Counts as an action of the hourly budget, but is asked about only beyond it. */
  readonly isRoutine?: boolean;
  /** Needs no question, but is not done after a decline of one of its effects. */
  readonly isHarmless?: boolean;
  /** A plan of several steps: one approval covers all, and a later call with the same arguments continues it. */
  readonly isPlan?: boolean;
  /** Reads the affected object and says what will happen. Must not throw if the object can't be read. */
  readonly describe: (
    context: ToolContext,
  ) => Promise<Omit<ActionDescription, 'headline'> & { readonly headline: Headline }>;
}

export type ActionEffects = Pick<PendingAction, 'effects' | 'coveringEffects'>;

/** Text that a person reads before deciding. */
export interface ActionDescription {
  /** Name of the workspace, with which the headline begins; undefined if there is only one. */
  readonly workspace?: string;
  /** The object by name, the people, and what changes, in at most 240 characters. Text from others is quoted. */
  readonly headline: string;
  /** Sentence between the headline and the details. */
  readonly notice?: string;
  /** Values of the request, if the arguments are too nested to be shown whole. */
  readonly request?: JsonObject;
  /** The affected object, as the service returned it. */
  readonly about?: JsonObject | undefined;
  /** Further objects that decide about the action, or about the step of a plan with the same key. */
  readonly basis?: Readonly<Record<string, JsonObject>>;
}

/** Operation and input, equal for all calls with the same effect. */
export interface CanonicalCall {
  readonly operation: OperationName;
  readonly input: JsonObject;
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** JSON Schema of a result, as sent to the host. */
export interface OutputSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** Parts that define a tool. */
export interface ToolSpec<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Operations it calls. The first determines effect, group and scope. */
  readonly operations: readonly [OperationName, ...OperationName[]];
  readonly inputSchema: Input;
  readonly outputSchema: OutputSchema;
  /** Tool that lists valid ids, named in "not found" errors. */
  readonly idSource?: string;
  /** Reads several groups, only enabled ones. `groups`: offered with any of them; `any`: offered without one too. */
  readonly spans?: 'groups' | 'any' | undefined;
  /** Those that differ from the defaults of the first operation's effect. */
  readonly annotations?: Partial<ToolAnnotations>;
  /** Rejects arguments that the handler or the client would reject, before anybody is asked. @throws */
  check?(args: z.output<Input>, context: ToolContext): void;
  /** The action to confirm, if any. A method, so that a tool with narrower arguments is still a `Tool`. */
  confirmation?(
    args: z.output<Input>,
    context: ToolContext,
  ): PendingAction | undefined | Promise<PendingAction | undefined>;
  /** Effects of a new object that needs no confirmation, by what it contains; undefined if that does not identify it. */
  getNewObjectEffects?(args: z.output<Input>, context: ToolContext): Promise<ActionEffects | undefined>;
  /** True if these arguments only ask for the state of an earlier call. */
  isStatusCheck?(args: z.output<Input>): boolean;
  /** Part of the arguments that an approval covers; default: all. */
  approvedArguments?(args: z.output<Input>): JsonObject;
  /** Canonical form, if another tool can do the same; default: the first operation and the arguments. */
  canonicalCall?(args: z.output<Input>): CanonicalCall;
  /** Arguments of the separate calls, one per file, that together do the same. */
  splitCall?(args: z.output<Input>): readonly JsonObject[];
  /** True if an identical call within ten minutes gets the first one's result. */
  readonly deduplicate?: boolean;
  /** Fallback tools registered under the same name when this one can't run; the first that applies wins. */
  readonly fallbacks?: readonly ToolFallback<Tool>[];
  handler(context: ToolContext, args: z.output<Input>): Promise<ToolResult>;
}

/** `without`: when to use it: no shared disk, read-only server, or the named tool not enabled. */
export interface ToolFallback<T> {
  readonly without: 'disk' | 'writes' | `${string}_${string}`;
  readonly tool: T;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> extends ToolSpec<Input> {
  /** Reads the object and the document that the arguments name. `purpose` names them, or is empty without any. */
  readonly describeNamedObjects?: (
    args: JsonObject,
    context: ToolContext,
  ) => Promise<{ purpose: string; about?: JsonObject }>;
  readonly annotations: ToolAnnotations;
  readonly group: string;
  /** All groups of a tool that spans several. */
  readonly groups: readonly string[];
  readonly scope: Scope;
}

/** Adds what follows from the operations, and infers the argument types of `handler` and `confirmation`. */
export function defineTool<Input extends z.ZodObject>(spec: ToolSpec<Input>): Tool {
  const { operations, spans, annotations } = spec;
  const { scope, effect } = getOperation(operations[0]);
  const group = getGroup(operations[0]);
  return {
    ...spec,
    annotations: { ...ANNOTATIONS_BY_EFFECT[effect], ...annotations },
    group,
    groups: spans === undefined ? [group] : operations.map(getGroup),
    scope,
  };
}

/** Group of an operation: `links` for `links.create`. */
export function getGroup(operation: OperationName): Group {
  return operation.split('.')[0] as Group;
}

/** Name of the objects of a group or an operation: `link` for `links.create`. */
export function getResourceNoun(operation: string): string {
  return (operation.split('.')[0] ?? '').replace(/s$/, '');
}

/** Tool that lists what this one writes; undefined if its group has none. */
export function getListToolName({ operations }: Tool): string | undefined {
  const group = getGroup(operations[0]);
  return Object.hasOwn(catalog[group], 'list') ? `list_${group}` : undefined;
}

const ANNOTATIONS_BY_EFFECT: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  send: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};
