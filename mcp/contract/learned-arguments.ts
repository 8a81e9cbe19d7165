/** Arguments of tools that hold names of the service's own, which a profile may know. */
export const LEARNED_ARGUMENTS = ['fields', 'query'] as const;
export type LearnedArgument = (typeof LEARNED_ARGUMENTS)[number];
