import type { OperationName } from '../../src/operations/index.ts';
import { type FaultRule, FaultRuleSchema } from '../base/control-schemas.ts';
import { createRandom, nextNumber } from '../base/random.ts';
import { validateOptions } from '../base/validate-options.ts';

export type FaultPicker = ReturnType<typeof createFaults>;
export type Faults = Omit<FaultPicker, 'pick'>;

interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationName | undefined;
}

interface Entry {
  readonly rule: FaultRule;
  matchCount: number;
  appliedCount: number;
}

export function createFaults(seed: number) {
  let entries: Entry[] = [];
  let random = createRandom(seed);
  return {
    /** Adds a rule and returns a function that removes it. @throws RangeError that names the invalid field */
    add(rule: FaultRule): () => void {
      validateOptions('faults.add', FaultRuleSchema, rule);
      const entry = { rule: { ...rule }, matchCount: 0, appliedCount: 0 };
      entries.push(entry);
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    clear(): void {
      entries = [];
      random = createRandom(seed);
    },
    rules: (): readonly FaultRule[] => entries.map(({ rule }) => rule),
    /** Returns the first rule that applies to the request, and counts it. */
    pick(request: FaultTarget): FaultRule | undefined {
      for (const entry of entries) {
        const { rule } = entry;
        if (!matches(rule, request)) continue;
        entry.matchCount += 1;
        if (rule.nth !== undefined && ![rule.nth].flat().includes(entry.matchCount)) continue;
        if (entry.appliedCount >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
        if (rule.probability !== undefined && nextNumber(random) >= rule.probability) continue;
        entry.appliedCount += 1;
        return rule;
      }
      return undefined;
    },
  };
}

function matches(rule: FaultRule, request: FaultTarget): boolean {
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
