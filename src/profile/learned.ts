import type { OperationName } from '../operations/index.ts';
import type { OperationProfile, ServiceProfile } from './format.ts';

/** An answer that is not as the profile says. Holds forms and names, never a value of the answer. */
export interface Contradiction {
  readonly operation: OperationName;
  /** The place in the profile: `operations.links.list.list.at`. */
  readonly fact: string;
  /** What the profile says there. */
  readonly learned: string;
  readonly came: string;
}

/**
 * A profile as one client uses it. It is never trusted over an answer: the first one that contradicts a fact is told of,
 * and from then on the client goes on as if that fact had not been learned.
 */
export interface ActiveProfile {
  readonly profile: ServiceProfile;
  /** Undefined where the operation was not called and nothing was concluded. */
  about(operation: OperationName): OperationProfile | undefined;
  /** Whether no answer has contradicted a fact. */
  holds(fact: string): boolean;
  /** Drops a fact; told once. */
  contradict(contradiction: Contradiction): void;
  /** Whether a fact has led to what it says in this client; what never did may be wrong. */
  isProven(fact: string): boolean;
  prove(fact: string): void;
}

export function createLearned(profile: ServiceProfile, tell: (of: Contradiction) => void): ActiveProfile {
  const dropped = new Set<string>();
  const proven = new Set<string>();
  return {
    profile,
    about: (operation) => profile.operations[operation],
    holds: (fact) => !dropped.has(fact),
    contradict(contradiction) {
      const { fact } = contradiction;
      if (dropped.has(fact)) return;
      dropped.add(fact);
      const { operation, learned, came } = contradiction;
      tell({ operation, fact: oneLine(fact), learned: oneLine(learned), came: oneLine(came) });
    },
    isProven: (fact) => proven.has(fact),
    prove: (fact) => void proven.add(fact),
  };
}

/** Names of a file as they may stand in a log. */
function oneLine(text: string): string {
  return text.slice(0, 200).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
