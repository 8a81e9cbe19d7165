import type { z } from 'zod';
import type { Client, Effect, OperationName, RequestOptions } from '../../src/index.ts';
import { catalogue, getOperation } from '../../src/operations/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import type { Scope } from '../../src/scopes.ts';
import type { FileAccess } from '../files/file-access.ts';
import type { FileTransfer } from './file-transfer.ts';
import type { AccessMode, KeyStatus } from './key-status.ts';
import type { ProgressReporter } from './progress-reporter.ts';

/** What a tool answers: plain data, shaped for the protocol at one boundary (`answer.ts`). */
export interface ToolResult {
  readonly data: JsonObject;
  /** Fields that may hold a secret or a presigned address, because they are the point of the call. */
  readonly unredactedFields?: readonly string[];
  /** Fields that the caller's own words or this server filled: never marked as strangers' text. */
  readonly trustedFields?: readonly string[];
  /** For the view of the answer alone: hosts keep `_meta` from models. */
  readonly meta?: JsonObject;
}

/** What a tool needs while it runs. */
export interface ToolContext {
  readonly client: Client;
  /** Signal and wait hooks of this call: pass them to every request. */
  readonly options: RequestOptions;
  readonly progress: ProgressReporter;
  readonly files: FileAccess;
  /** Where files come and go that no disk is shared for. */
  readonly fileTransfer?: FileTransfer | undefined;
  /** Says which key is used without saying it; the same at all servers that share the state. */
  readonly fingerprint: string;
  readonly keyStatus: KeyStatus;
  readonly mode: AccessMode;
  /** Takes note of what answers show beside what was learned; unset without a profile. */
  readonly recordResponse?: ((operation: OperationName, records: readonly unknown[]) => void) | undefined;
}

/** An act that a person should agree to before it happens. */
export interface PendingAction {
  /** Our own sentences: who will get or see what, and that it can't be undone. The caller's words in it stand quoted. */
  readonly summary: string;
  /** Looks up what the act is about, for the preview; failures are no reason to stop. */
  readonly preview?: (context: ToolContext) => Promise<JsonObject | undefined>;
}

/** An operation and its input: the same for all calls that do the same. */
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

/** The JSON Schema of an answer, as it stands on the wire. */
export interface OutputSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it calls; the first is what it is for, and gives effect, group and scope. */
  readonly operations: readonly [OperationName, ...OperationName[]];
  readonly inputSchema: Input;
  readonly outputSchema: OutputSchema;
  /** The tool that lists what its ids are ids of: what to call when one is not known. */
  readonly idSource?: string;
  /** Reads over several groups, those alone that the menu may; on the menu with any of them, or (`any`) without. */
  readonly spans?: 'groups' | 'any';
  readonly annotations?: Partial<ToolAnnotations>;
  /** What has to be agreed to, if anything. Methods, so that a tool of narrow arguments still is a `Tool`. */
  confirmation?(
    args: z.output<Input>,
    context: ToolContext,
  ): PendingAction | undefined | Promise<PendingAction | undefined>;
  /** What a call comes to for the service, where another tool can do the same; else its operation with its arguments. */
  canonicalCall?(args: z.output<Input>): CanonicalCall;
  /** A second identical call inside ten minutes is answered with the first one's answer. */
  readonly deduplicate?: boolean;
  /** What is offered in its place, under the same name, where the menu lacks what it needs; the first that fits. */
  readonly fallbacks?: readonly ToolFallback<Tool>[];
  handler(context: ToolContext, args: z.output<Input>): Promise<ToolResult>;
}

/** `without` a disk that server and host share, without writing (on a read-only server), or without the tool of this name. */
export interface ToolFallback<T> {
  readonly without: 'disk' | 'writes' | `${string}_${string}`;
  readonly tool: T;
}

/** Identity: infers the arguments' type for `handler` and `confirmation`, nothing else. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}

export function getEffect(tool: Tool): Effect {
  return getOperation(tool.operations[0]).effect;
}

export function getGroup(tool: Tool): string {
  return tool.operations[0].split('.')[0] ?? '';
}

/** Of a tool over several groups all of them. */
export function getGroups(tool: Tool): readonly string[] {
  const operationNames = tool.spans === undefined ? [tool.operations[0]] : tool.operations;
  return operationNames.map((name) => name.split('.')[0] ?? '');
}

export function getScope(tool: Tool): Scope {
  return getOperation(tool.operations[0]).scope;
}

/** The tool that lists what this one writes; undefined where its group has none. */
export function getListToolName(tool: Tool): string | undefined {
  const group = getGroup(tool);
  const groupOperations: Readonly<Record<string, unknown>> = { ...catalogue }[
    group as keyof typeof catalogue
  ];
  return Object.hasOwn(groupOperations, 'list') ? `list_${group}` : undefined;
}

export function isReadOnly(tool: Tool): boolean {
  return getAnnotations(tool).readOnlyHint;
}

const ANNOTATIONS_BY_EFFECT: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  send: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** All four hints, from what the first operation does unless the tool says otherwise. */
export function getAnnotations(tool: Tool): ToolAnnotations {
  return { ...ANNOTATIONS_BY_EFFECT[getEffect(tool)], ...tool.annotations };
}
