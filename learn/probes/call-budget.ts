/** Default maximum number of calls to the service. */
export const DEFAULT_CALL_BUDGET = 60;
/** Default with `--write`, which also removes objects. */
export const DEFAULT_WRITE_CALL_BUDGET = 150;
