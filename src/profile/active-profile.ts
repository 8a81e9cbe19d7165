import type { OperationName } from '../operations/index.ts';
import type { OperationProfile, ServiceProfile } from './service-profile.ts';

/** An answer that is not as the profile says. Holds forms and names, never a value of the answer. */
export interface Contradiction {
  readonly operation: OperationName;
  /** The place in the profile: `operations.links.list.list.at`. */
  readonly fact: string;
  /** What the profile says there. */
  readonly expected: string;
  readonly actual: string;
}

/**
 * A profile as one client uses it. It is never trusted over an answer: the first one that contradicts a fact is told of,
 * and from then on the client goes on as if that fact had not been learned.
 */
export interface ActiveProfile {
  readonly profile: ServiceProfile;
  /** Undefined where the operation was not called and nothing was concluded. */
  getOperation(operation: OperationName): OperationProfile | undefined;
  /** Whether no answer has contradicted a fact. */
  isTrusted(fact: string): boolean;
  /** Drops a fact; told once. */
  contradict(contradiction: Contradiction): void;
  /** Whether a fact has led to what it says in this client; what never did may be wrong. */
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

/** Names of a file as they may stand in a log. */
function toSingleLine(text: string): string {
  return text.slice(0, 200).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
