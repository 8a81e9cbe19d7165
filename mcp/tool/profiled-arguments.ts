/** Arguments that hold the service's own field names, which a profile may know. */
export const PROFILED_ARGUMENTS = ['fields', 'query'] as const;
export type ProfiledArgument = (typeof PROFILED_ARGUMENTS)[number];
