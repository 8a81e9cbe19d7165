/** What keeps the setup from being done, in a sentence that says what to do. Nothing was changed. */
export class SetupError extends Error {}
