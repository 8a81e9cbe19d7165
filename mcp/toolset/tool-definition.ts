import type { OperationName } from '../../src/operations/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import type { Scope } from '../../src/scopes.ts';
import type { OutputSchema, ToolAnnotations, ToolFallback } from '../tool/tool.ts';

/** A tool as a host lists it and a menu chooses it: plain JSON, made by the build, so that a list costs no tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The same with a confirm_token; undefined where no call of it is ever confirmed. */
  readonly inputSchemaWithToken?: JsonObject;
  readonly outputSchema: OutputSchema;
  readonly annotations: ToolAnnotations;
  /** What it is for. */
  readonly operation: OperationName;
  readonly group: string;
  /** Of a tool over several groups all of them. */
  readonly groups: readonly string[];
  readonly scope: Scope;
  readonly spans?: 'groups' | 'any';
  /** Whether some of its calls must be agreed to. */
  readonly mayNeedConfirmation: boolean;
  /** What is offered in its place, under the same name, where the menu lacks what it needs; the first that fits. */
  readonly fallbacks?: readonly ToolFallback<ToolDefinition>[];
  /** Which of another's `fallbacks` it is itself, if any. */
  readonly fallbackIndex?: number;
}
