/** `2026-01-02 10:00` in the time zone of the user's Zapier account, for drop-down lists. */
export function formatLocalTime(time: string, zone: string | null | undefined): string {
  const format = (timeZone: string) =>
    new Date(time).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  try {
    return format(zone ?? 'UTC');
  } catch {
    return format('UTC');
  }
}
