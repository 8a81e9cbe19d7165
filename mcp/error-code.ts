/** Code of a system error, or `unknown`. */
export function getSystemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
