import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Proxies and hosts send a request once the one before it is answered, or a few of them. */
const MAX_PIPELINED_REQUESTS = 8;

/**
 * The same listener, without those who send requests one behind another and read no answer: Node begins all of them at
 * once, so that a few hundred connections would keep everybody else waiting. Their connection ends.
 */
export function withPipeliningLimit(listener: RequestListener): RequestListener {
  const pendingCounts = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // What came in with the same piece of data is still told of.
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
