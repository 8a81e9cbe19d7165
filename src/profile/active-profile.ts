import type { OperationName } from '../operations/index.ts';
import type { OperationProfile, ServiceProfile } from './service-profile.ts';

/** A response that differs from the profile. Holds types and field names, never a value. */
export interface Contradiction {
  readonly operation: OperationName;
  /** Path in the profile: `operations.links.list.list.at`. */
  readonly fact: string;
  readonly expected: string;
  readonly actual: string;
}

export type ActiveProfile = ReturnType<typeof createActiveProfile>;

/** A profile in use: the first response that contradicts a fact is reported and ends its use. */
export function createActiveProfile(profile: ServiceProfile, onContradiction: (contradiction: Contradiction) => void) {
  const contradictedFacts = new Set<string>();
  const confirmedFacts = new Set<string>();
  return {
    profile,
    /** Undefined if the operation was neither called nor inferred. */
    getOperation: (operation: OperationName): OperationProfile | undefined => profile.operations[operation],
    /** Returns true until a response has contradicted the fact. */
    isTrusted: (fact: string) => !contradictedFacts.has(fact),
    /** Drops a fact and reports it once. */
    contradict({ operation, fact, expected, actual }: Contradiction): void {
      if (contradictedFacts.has(fact)) return;
      contradictedFacts.add(fact);
      onContradiction({
        operation,
        fact: toSingleLine(fact),
        expected: toSingleLine(expected),
        actual: toSingleLine(actual),
      });
    },
    /** Returns true if a fact has proven right in this client; others may be wrong. */
    isConfirmed: (fact: string) => confirmedFacts.has(fact),
    confirm: (fact: string) => void confirmedFacts.add(fact),
  };
}

/** Makes names from a file safe for a log. */
function toSingleLine(text: string): string {
  return text.slice(0, 200).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
