/** Reason with which a call rejects; a text if it does not. */
export const failureOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(String, (reason: unknown) => reason);
