import type { IncomingMessage, Server } from 'node:http';

/** Longest time for a whole request to come in, body and all. */
const WITHIN_MS = 60_000;

/** Ends requests that come in too slowly, but for those whose bodies have a clock of their own: Node's knows no exception. */
export function endSlowRequests(server: Server, isOwnClock: (path: string) => boolean): void {
  server.requestTimeout = 0;
  server.prependListener('request', (incoming: IncomingMessage) => {
    if (isOwnClock(incoming.url ?? '')) return;
    const timer = setTimeout(() => {
      if (!incoming.complete) incoming.destroy();
    }, WITHIN_MS);
    incoming.once('close', () => clearTimeout(timer));
  });
}
