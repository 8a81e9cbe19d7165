/** Sets an entry; a map that already holds `max` entries drops its oldest one first. */
export function setBounded<Value>(map: Map<string, Value>, max: number, [key, value]: readonly [string, Value]): void {
  const [oldest] = map.keys();
  if (map.size >= max && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
