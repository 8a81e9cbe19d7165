/** Returns a value as untyped code would pass it. */
export const untyped = <Wanted>(value: unknown): Wanted => value as Wanted;
