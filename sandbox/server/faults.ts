import type { OperationName } from '../../src/operations/index.ts';
import * as controlSchemas from '../base/control-schemas.ts';
import { createRandom, next } from '../base/random.ts';
import { type SchemaFor, validateOptions } from '../base/validate-options.ts';

/** Which requests go wrong, and how. */
export interface FaultRule {
  /** Method to match; unset: each. */
  readonly method?: string;
  /** Path below the base URL, of storage (`/storage/…`) or of a page (`/l/…`); `*` stands for anything: `/links/*`. Unset: each. */
  readonly path?: string;
  /** Operation to match; unset: each. */
  readonly operation?: OperationName;
  /** Only the nth matching request (from 1), or those of a list. */
  readonly nth?: number | readonly number[];
  /** How likely a matching request is to fail, drawn from the sandbox's seed; unset: certain. */
  readonly probability?: number;
  /** How often the rule applies before it is used up; unset: always. */
  readonly times?: number;
  /** `before` (default): the operation does not run. `after`: it takes effect, and only its answer is lost. */
  readonly when?: 'before' | 'after';
  /** Status of the answer; with `after`, unset keeps the good one. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Real milliseconds before the head of the answer. */
  readonly delayMs?: number;
  /** Real milliseconds between the head and the body. */
  readonly bodyDelayMs?: number;
  /** `drop` closes the connection without an answer, `reset` breaks it (RST), `hang` never answers. */
  readonly cut?: 'drop' | 'reset' | 'hang';
  /** Sends only so many bytes of the body, under the full length, and closes. */
  readonly truncate?: number;
}

export interface Faults {
  /** Adds a rule; returns its removal. @throws RangeError for what can't be meant, naming the field */
  add(rule: FaultRule): () => void;
  clear(): void;
  rules(): readonly FaultRule[];
}

export interface FaultPicker extends Faults {
  /** The first rule that applies to this request; counts it. */
  pick(request: {
    method: string;
    path: string;
    operation: OperationName | undefined;
  }): FaultRule | undefined;
}

interface Entry {
  readonly rule: FaultRule;
  matchCount: number;
  appliedCount: number;
}

export function createFaults(seed: number): FaultPicker {
  let entries: Entry[] = [];
  let random = createRandom(seed);
  return {
    add(rule) {
      validateOptions('faults.add', controlSchemas.FaultRuleSchema satisfies SchemaFor<FaultRule>, rule);
      const entry = { rule: { ...rule }, matchCount: 0, appliedCount: 0 };
      entries.push(entry);
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    clear() {
      entries = [];
      random = createRandom(seed);
    },
    rules: () => entries.map(({ rule }) => rule),
    pick(request) {
      for (const entry of entries) {
        const { rule } = entry;
        if (!matches(rule, request)) continue;
        entry.matchCount += 1;
        if (rule.nth !== undefined && ![rule.nth].flat().includes(entry.matchCount)) continue;
        if (rule.times !== undefined && entry.appliedCount >= rule.times) continue;
        if (rule.probability !== undefined && next(random) >= rule.probability) continue;
        entry.appliedCount += 1;
        return rule;
      }
      return undefined;
    },
  };
}

function matches(
  rule: FaultRule,
  request: { method: string; path: string; operation: OperationName | undefined },
): boolean {
  if (rule.method !== undefined && rule.method.toUpperCase() !== request.method) return false;
  if (rule.operation !== undefined && rule.operation !== request.operation) return false;
  return rule.path === undefined || matchesPath(rule.path, request.path);
}

/** `*` stands for any text. In one pass: a pattern with many of them can't hold up the service. */
export function matchesPath(pattern: string, path: string): boolean {
  const [head = '', ...middleParts] = pattern.split('*');
  const tail = middleParts.pop();
  if (tail === undefined) return pattern === path;
  if (!path.startsWith(head)) return false;
  let at = head.length;
  for (const part of middleParts) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - tail.length >= at && path.endsWith(tail);
}
