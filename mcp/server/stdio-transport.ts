import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest, isJSONRPCResponse, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { isCancelNotification } from './cancel-notification.ts';
import { createLineReader, type LineError } from './stdio-lines.ts';

/**
 * MCP over lines. Unlike the SDK's transport, it survives long lines, responds to invalid ones and finishes
 * running calls when the input ends.
 */
export interface StdioTransport extends Transport {
  /** Resolves when the client has disconnected. */
  readonly ended: Promise<void>;
  /** Stops reading and waits for running calls, at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

export function createStdioTransport(
  input: Readable,
  output: Writable,
  onRejected: (lineError: LineError) => void,
): StdioTransport {
  const running = new Set<RequestId>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let onDrained: () => void = () => undefined;
  let closed = false;

  const lines = createLineReader((read) => {
    if (closed) return;
    if ('lineError' in read) return rejectLine(read.lineError);
    const { message } = read;
    if (isJSONRPCRequest(message)) {
      // A response to the second would be taken for one to the first.
      if (running.has(message.id))
        return rejectLine({ code: -32_600, message: 'Invalid Request: a call with this id is running', id: null });
      // A subscription is answered only when the connection ends.
      if (message.method !== 'subscriptions/listen') running.add(message.id);
    } else if (isCancelNotification(message)) finishRequest(message.params.requestId);
    transport.onmessage?.(message);
  });
  const rejectLine = (lineError: LineError) => {
    onRejected(lineError);
    const { code, message } = lineError;
    // With its id, the error would be taken for the response of the running call.
    const id = lineError.id !== null && running.has(lineError.id) ? null : lineError.id;
    void write({ jsonrpc: '2.0', id, error: { code, message } });
  };
  const finishRequest = (id: RequestId | undefined) => {
    if (id !== undefined) running.delete(id);
    if (running.size === 0) onDrained();
  };
  const write = (message: object) =>
    new Promise<void>((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    }).catch((error: Error) => transport.onerror?.(error));
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
      output.on('error', fail);
    },
    async send(message) {
      if (closed) return;
      await write(message);
      if (isJSONRPCResponse(message)) finishRequest(message.id);
    },
    async drain(timeoutMs) {
      input.off('data', lines.push);
      input.pause();
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        onDrained = resolve;
        setTimeout(resolve, timeoutMs);
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
