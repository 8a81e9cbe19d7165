/** What came of a promise by now. */
export function watch<Value>(promise: Promise<Value>) {
  const seen: { value?: Value; error?: unknown } = {};
  promise.then(
    (value) => Object.assign(seen, { value }),
    (error: unknown) => Object.assign(seen, { error }),
  );
  return seen;
}
