/** Returns "Ada Lovelace" for `ada.lovelace@example.com`. */
export function nameFromEmail(email: string): string {
  const [local = email] = email.split('@');
  return local
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
