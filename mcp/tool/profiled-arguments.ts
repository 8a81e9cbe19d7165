/** Arguments of tools that hold names of the service's own, which a profile may know. */
export const PROFILED_ARGUMENTS = ['fields', 'query'] as const;
export type ProfiledArgument = (typeof PROFILED_ARGUMENTS)[number];
