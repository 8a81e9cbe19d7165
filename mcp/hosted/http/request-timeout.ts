import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Maximum time for a whole request to arrive, including its body. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Ends requests that arrive too slowly. Node's own timeout has no exceptions; here, requests with
 * `hasOwnTimeout` are exempt until they are answered.
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
