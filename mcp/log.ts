/** One structured line on stderr. Fields hold no key, no address and nothing of a body. */
export function writeLine(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
  process.stderr.write(`${JSON.stringify({ event, ...fields })}\n`);
}
