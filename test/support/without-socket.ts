/** Requests to a sandbox in this process without a socket, for tests that do not depend on the network. */
import { Readable, Writable } from 'node:stream';
import type { Sandbox } from '../../sandbox/index.ts';
import { findServer } from '../../sandbox/server/listen.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../src/index.ts';
import { createBodyStream } from '../../src/transport/body-stream.ts';
import type { RequestBody } from '../../src/transport/transport.ts';

/** The properties of a connection that a server reads. */
const CONNECTION = { remoteAddress: '127.0.0.1' };

/** Advances the sandbox's clock by this many milliseconds per call, so that the rate limit delays nobody. */
export function withoutWaiting(sandbox: Sandbox, ms: number, transport = withoutSocket): Transport {
  return async (request) => {
    await sandbox.clock.advance(ms);
    return transport(request);
  };
}

/** Reaches the sandboxes of this process at their own URLs, and nothing else. */
export const withoutSocket: Transport = async (request) => {
  const { origin, host, pathname, search } = new URL(request.url);
  const server = findServer(origin);
  if (!server) throw Object.assign(new Error(`No sandbox at ${origin}`), { code: 'ECONNREFUSED' });
  const { signal } = request;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<TransportResponse>();
  const outgoing = outgoingTo(resolve);
  const leave = () => {
    reject(signal?.reason);
    outgoing.destroy();
  };
  signal?.addEventListener('abort', leave, { once: true });
  outgoing.once('close', () => {
    signal?.removeEventListener('abort', leave);
    if (!outgoing.writableFinished) reject(otherSideClosed());
  });
  server.emit('request', incomingOf(request, host, pathname + search), outgoing);
  return promise;
};

/** A request as a Node.js server receives it: the client's head, and the body as it arrives. */
function incomingOf({ method, headers, body }: TransportRequest, host: string, url: string): Readable {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const whole = { host, ...Object.fromEntries(given), ...lengthOf(body) };
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? [Buffer.from(body)] : (body ?? []);
  return Object.assign(Readable.from(bytes, { objectMode: false }), {
    method,
    url,
    headers: whole,
    rawHeaders: Object.entries(whole).flat(),
    complete: true,
    socket: CONNECTION,
  });
}

function lengthOf(body: RequestBody | undefined): Record<string, string> {
  if (body === undefined) return {};
  if (typeof body === 'string' || body instanceof Uint8Array)
    return { 'content-length': String(Buffer.byteLength(body)) };
  return {};
}

/** The response that a server writes to. */
function outgoingTo(answer: (response: TransportResponse) => void): Writable {
  const headers: Record<string, string> = {};
  const setHeader = (name: string, value: unknown) => {
    headers[name.toLowerCase()] = String(value);
  };
  const inflow = createBodyStream({ pause() {}, resume() {}, cancel() {} });
  const outgoing = new Writable({
    write(chunk: Uint8Array, _, done) {
      inflow.push(chunk);
      done();
    },
    final(done) {
      inflow.end();
      done();
    },
    destroy(error, done) {
      if (!outgoing.writableFinished) inflow.end(error ?? otherSideClosed());
      done(error);
    },
  });
  const writeHead = (status: number, given: Readonly<Record<string, unknown>> = {}) => {
    for (const [name, value] of Object.entries(given)) setHeader(name, value);
    answer({ status, headers, body: inflow.body });
  };
  return Object.assign(outgoing, { setHeader, writeHead, flushHeaders() {} });
}

const otherSideClosed = (): Error => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
