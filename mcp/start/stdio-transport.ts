import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest, isJSONRPCResponse, type Transport } from '@modelcontextprotocol/server';
import { createLineReader, type Id, type Refusal, readLine, refuseTooLong } from './stdio-lines.ts';

/** The protocol line by line. The SDK's own falls deaf at a long line, keeps silent at a wrong one and drops running calls when the input ends. */
export interface StdioTransport extends Transport {
  /** Settles when the other side has hung up. */
  readonly ended: Promise<void>;
  /** Stops reading, and waits until every call that runs is answered, but no longer than told. */
  settle(withinMs: number): Promise<void>;
}

export function createStdioTransport(
  input: Readable,
  wire: Writable,
  onRefused: (refusal: Refusal) => void,
): StdioTransport {
  const running = new Set<Id>();
  /** What this side asked, as a form, and nobody answered yet. */
  const asked = new Set<Id>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let onSettled: () => void = () => undefined;
  let closed = false;

  const hear = (read: ReturnType<typeof readLine>) => {
    if (!read || closed) return;
    if ('refused' in read) {
      const broken = 'broken' in read ? read.broken : undefined;
      if (!broken || !asked.delete(broken.id)) return refuse(read.refused);
      onRefused(read.refused);
      return transport.onmessage?.(broken);
    }
    const { message } = read;
    if (isJSONRPCRequest(message)) {
      // An answer to the second would be taken for one to the first.
      if (running.has(message.id))
        return refuse({ code: -32_600, message: 'Invalid Request: a call with this id runs', id: null });
      // A subscription is answered when it ends, with the connection.
      if (message.method !== 'subscriptions/listen') running.add(message.id);
    } else if (isJSONRPCResponse(message) && message.id !== undefined) asked.delete(message.id);
    else if ('method' in message && message.method === 'notifications/cancelled')
      done((message.params as { requestId?: Id } | undefined)?.requestId);
    transport.onmessage?.(message);
  };
  const refuse = (refusal: Refusal) => {
    onRefused(refusal);
    const { id, code, message } = refusal;
    void write({ jsonrpc: '2.0', id, error: { code, message } });
  };
  const done = (id: Id | undefined) => {
    if (id !== undefined) running.delete(id);
    if (running.size === 0) onSettled();
  };
  const write = (message: object) =>
    new Promise<void>((resolve, reject) => {
      wire.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    }).catch((error: Error) => transport.onerror?.(error));
  const lines = createLineReader(
    (line) => hear(readLine(line)),
    (ends) => hear(refuseTooLong(ends)),
  );
  const finish = () => {
    lines.end();
    end();
  };
  const fail = (error: Error) => {
    transport.onerror?.(error);
    end();
  };

  const transport: StdioTransport = {
    ended,
    async start() {
      input.on('data', lines.push);
      input.once('end', finish);
      input.once('close', end);
      input.on('error', fail);
      wire.on('error', fail);
    },
    async send(message) {
      if (closed) return;
      if (isJSONRPCRequest(message)) asked.add(message.id);
      await write(message);
      if (isJSONRPCResponse(message)) done(message.id);
    },
    async settle(withinMs) {
      input.off('data', lines.push);
      input.pause();
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        onSettled = resolve;
        setTimeout(resolve, withinMs);
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      input.off('data', lines.push);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}
