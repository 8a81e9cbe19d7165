import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest, isJSONRPCResponse, type Transport } from '@modelcontextprotocol/server';
import { isCallEnvelope, isResponseEnvelope, type JsonRpcId } from './jsonrpc-envelope.ts';
import { createPendingRequests, isCancelNotification } from './pending-requests.ts';
import { createLineReader, type LineError, readLine, rejectLongLine } from './stdio-lines.ts';

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
  const running = new Set<JsonRpcId>();
  const pendingRequests = createPendingRequests();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let onDrained: () => void = () => undefined;
  let closed = false;

  const handleLine = (read: ReturnType<typeof readLine>) => {
    if (!read || closed) return;
    if ('lineError' in read) {
      const { lineError, envelopes } = read;
      const malformedReplies = pendingRequests.closeMalformed(envelopes);
      for (const message of malformedReplies) transport.onmessage?.(message);
      // Responses get no response.
      const isHandled = envelopes.every(
        (envelope) => isResponseEnvelope(envelope) || (malformedReplies.length > 0 && !isCallEnvelope(envelope)),
      );
      return envelopes.length > 0 && isHandled ? onRejected(lineError) : rejectLine(lineError);
    }
    const { message } = read;
    if (isJSONRPCRequest(message)) {
      // A response to the second would be taken for one to the first.
      if (running.has(message.id))
        return rejectLine({ code: -32_600, message: 'Invalid Request: a call with this id is running', id: null });
      // A subscription is answered only when the connection ends.
      if (message.method !== 'subscriptions/listen') running.add(message.id);
    } else if (isCancelNotification(message)) finishRequest(message.params.requestId);
    pendingRequests.onReceived(message);
    transport.onmessage?.(message);
  };
  const rejectLine = (lineError: LineError) => {
    onRejected(lineError);
    const { code, message } = lineError;
    // With its id, the error would be taken for the response of the running call.
    const id = lineError.id !== null && running.has(lineError.id) ? null : lineError.id;
    void write({ jsonrpc: '2.0', id, error: { code, message } });
  };
  const finishRequest = (id: JsonRpcId | undefined) => {
    if (id !== undefined) running.delete(id);
    if (running.size === 0) onDrained();
  };
  const write = (message: object) =>
    new Promise<void>((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    }).catch((error: Error) => transport.onerror?.(error));
  const lines = createLineReader(
    (line) => handleLine(readLine(line)),
    (start, end) => handleLine(rejectLongLine(start, end)),
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
      output.on('error', fail);
    },
    async send(message) {
      if (closed) return;
      pendingRequests.onSent(message);
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
