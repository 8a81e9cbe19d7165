/** Calls to the service, at most, where nobody says otherwise. */
export const USUAL_BUDGET = 60;
/** With throwaway objects, which have to be removed too. */
export const WRITE_BUDGET = 150;
