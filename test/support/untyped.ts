/** What a program without types would give. */
export const untyped = <Wanted>(value: unknown): Wanted => value as Wanted;
