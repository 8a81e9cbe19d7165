import type { OperationName } from '../../src/operations/index.ts';
import * as controlSchemas from '../base/control-schemas.ts';
import { createRandom, next } from '../base/random.ts';
import { type SchemaFor, validateOptions } from '../base/validate-options.ts';

/** Selects requests, and says how they fail. */
export interface FaultRule {
  /** Method to match. Default: all. */
  readonly method?: string;
  /**
   * Path to match, below the base URL, of storage (`/storage/…`) or of a page (`/l/…`); `*` matches any text.
   * Default: all.
   */
  readonly path?: string;
  /** Operation to match. Default: all. */
  readonly operation?: OperationName;
  /** Only the nth matching request (from 1), or those of a list. */
  readonly nth?: number | readonly number[];
  /** Probability that a matching request fails, by the sandbox's seed. Default: 1. */
  readonly probability?: number;
  /** How often the rule applies. Default: always. */
  readonly times?: number;
  /** `before` (default): the operation does not run. `after`: it runs, and only its response is replaced. */
  readonly when?: 'before' | 'after';
  /** Status of the response. With `after`, the default is the original status. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Real milliseconds before the response headers. */
  readonly delayMs?: number;
  /** Real milliseconds between headers and body. */
  readonly bodyDelayMs?: number;
  /** `drop` closes the connection without a response, `reset` sends RST, `hang` never responds. */
  readonly cut?: 'drop' | 'reset' | 'hang';
  /** Sends this many bytes of the body with the full content length, then closes the connection. */
  readonly truncate?: number;
}

export interface Faults {
  /** Adds a rule and returns a function that removes it. @throws RangeError that names the invalid field */
  add(rule: FaultRule): () => void;
  clear(): void;
  rules(): readonly FaultRule[];
}

export interface FaultPicker extends Faults {
  /** Returns the first rule that applies to the request, and counts it. */
  pick(request: { method: string; path: string; operation: OperationName | undefined }): FaultRule | undefined;
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

/** Matches `*` with any text in linear time. */
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
