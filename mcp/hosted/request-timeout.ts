import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Longest time for a whole request to come in, body and all. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Ends requests that come in too slowly. Node's own clock knows no exception; here are those whose bodies have a clock of
 * their own. That one stops with the answer: a body that nobody reads any more is on the clock of all others.
 */
export function enforceRequestTimeout(
  server: Server,
  options: { hasOwnTimeout: (request: IncomingMessage) => boolean; timeoutMs?: number },
): void {
  const { hasOwnTimeout, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  server.requestTimeout = 0;
  server.prependListener('request', (incoming: IncomingMessage, response: ServerResponse) => {
    const startTimer = () => {
      if (incoming.complete || incoming.socket.destroyed) return;
      const timer = setTimeout(() => {
        if (!incoming.complete) incoming.destroy();
      }, timeoutMs);
      incoming.once('close', () => clearTimeout(timer));
    };
    if (hasOwnTimeout(incoming)) response.once('close', startTimer);
    else startTimer();
  });
}
