/** Returns an object that gets the value or the error of a promise once it settles. */
export function observePromise<Value>(promise: Promise<Value>) {
  const seen: { value?: Value; error?: unknown } = {};
  promise.then(
    (value) => Object.assign(seen, { value }),
    (error: unknown) => Object.assign(seen, { error }),
  );
  return seen;
}
