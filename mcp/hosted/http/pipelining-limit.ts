import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Ordinary clients pipeline at most a few requests. */
const MAX_PIPELINED_REQUESTS = 8;

/**
 * Wraps a listener and closes connections that pipeline many requests without reading responses. Node starts
 * all of them at once, so a few hundred such connections would block everyone else.
 */
export function withPipeliningLimit(listener: RequestListener): RequestListener {
  const pendingCounts = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // Node still emits requests that arrived in the same chunk.
    if (socket.destroyed) return;
    const count = (pendingCounts.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED_REQUESTS) {
      socket.destroy();
      return;
    }
    pendingCounts.set(socket, count);
    response.once('close', () => pendingCounts.set(socket, (pendingCounts.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
