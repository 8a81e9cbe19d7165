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

/** A profile in use: the first response that contradicts a fact is reported and ends its use. */
export interface ActiveProfile {
  readonly profile: ServiceProfile;
  /** Undefined if the operation was neither called nor inferred. */
  getOperation(operation: OperationName): OperationProfile | undefined;
  /** Returns true until a response has contradicted the fact. */
  isTrusted(fact: string): boolean;
  /** Drops a fact and reports it once. */
  contradict(contradiction: Contradiction): void;
  /** Returns true if a fact has proven right in this client; others may be wrong. */
  isConfirmed(fact: string): boolean;
  confirm(fact: string): void;
}

export function createActiveProfile(
  profile: ServiceProfile,
  onContradiction: (contradiction: Contradiction) => void,
): ActiveProfile {
  const contradictedFacts = new Set<string>();
  const confirmedFacts = new Set<string>();
  return {
    profile,
    getOperation: (operation) => profile.operations[operation],
    isTrusted: (fact) => !contradictedFacts.has(fact),
    contradict(contradiction) {
      const { fact } = contradiction;
      if (contradictedFacts.has(fact)) return;
      contradictedFacts.add(fact);
      const { operation, expected, actual } = contradiction;
      onContradiction({
        operation,
        fact: toSingleLine(fact),
        expected: toSingleLine(expected),
        actual: toSingleLine(actual),
      });
    },
    isConfirmed: (fact) => confirmedFacts.has(fact),
    confirm: (fact) => void confirmedFacts.add(fact),
  };
}

/** Makes names from a file safe for a log. */
function toSingleLine(text: string): string {
  return text.slice(0, 200).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
