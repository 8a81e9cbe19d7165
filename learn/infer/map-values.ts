/** Changes each value of a record, without the undefined ones. */
export function mapValues<T extends object>(record: T, change: (value: NonNullable<T[keyof T]>) => T[keyof T]): T {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value)])) as T;
}
