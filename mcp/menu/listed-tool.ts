import type { JsonObject } from '../../src/answer/fields.ts';
import type { OperationName } from '../../src/operations/index.ts';
import type { Scope } from '../../src/scopes.ts';
import type { OutputSchema, ToolAnnotations, ToolFallback } from '../contract/tool.ts';

/** A tool as a host lists it and a menu chooses it: plain JSON, made by the build, so that a list costs no tool. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The same with a confirm_token; undefined where no call of it is ever confirmed. */
  readonly confirmedSchema?: JsonObject;
  readonly outputSchema: OutputSchema;
  readonly hints: ToolAnnotations;
  /** What it is for. */
  readonly operation: OperationName;
  readonly group: string;
  /** Of a tool over several groups all of them. */
  readonly groups: readonly string[];
  readonly scope: Scope;
  readonly across?: 'groups' | 'any';
  /** Whether some of its calls must be agreed to. */
  readonly gated: boolean;
  /** What is offered in its place, under the same name, where the menu lacks what it needs; the first that fits. */
  readonly instead?: readonly ToolFallback<ListedTool>[];
  /** Which of another's `instead` it is itself, if any. */
  readonly insteadAt?: number;
}
