/** Calls to the service, at most, where nobody says otherwise. */
export const DEFAULT_CALL_BUDGET = 60;
/** With throwaway objects, which have to be removed too. */
export const DEFAULT_WRITE_CALL_BUDGET = 150;
