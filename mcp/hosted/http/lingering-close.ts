import type { RequestListener } from 'node:http';
import { Socket } from 'node:net';

/** Round trip to the other side of the world, with a margin. */
const LINGERING_CLOSE_TIMEOUT_MS = 5000;

/**
 * Wraps a listener so that a response sent before the whole request arrived is not lost: the rest of the request is
 * read and discarded for a moment. Otherwise the client would get a reset instead of the response (RFC 9112 §9.6).
 */
export function withLingeringClose(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    // Node calls this once the response is sent. It would discard unread data, and the response with it.
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
