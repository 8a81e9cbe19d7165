import type { RequestListener } from 'node:http';
import { Socket } from 'node:net';

/** As long as an answer may take to the other side of the world, and back. */
const LINGERING_CLOSE_TIMEOUT_MS = 5000;

/**
 * The same listener; where its answer ends a connection before the whole request has come in, what still comes is read
 * and forgotten for a moment. Whoever sends would else get a reset in place of the answer that says why (RFC 9112 §9.6).
 */
export function withLingeringClose(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    // What Node calls once the answer has been sent: it would throw away what was not read, and the answer with it.
    socket.destroySoon = () => {
      if (request.complete || !response.writableFinished || socket.destroyed) {
        Socket.prototype.destroySoon.call(socket);
        return;
      }
      socket.end();
      request.resume();
      const timer = setTimeout(() => socket.destroy(), LINGERING_CLOSE_TIMEOUT_MS);
      socket.once('close', () => clearTimeout(timer));
    };
    listener(request, response);
  };
}
