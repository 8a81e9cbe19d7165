import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest, isJSONRPCResponse, type Transport } from '@modelcontextprotocol/server';
import { isCallEnvelope, isResponseEnvelope, type JsonRpcId } from './jsonrpc-envelope.ts';
import { createPendingRequests, isCancelNotification } from './pending-requests.ts';
import { createLineReader, type LineError, readLine, rejectLongLine } from './stdio-lines.ts';

/** The protocol line by line. The SDK's own falls deaf at a long line, keeps silent at a wrong one and drops running calls when the input ends. */
export interface StdioTransport extends Transport {
  /** Settles when the other side has hung up. */
  readonly ended: Promise<void>;
  /** Stops reading, and waits until every call that runs is answered, but no longer than told. */
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
      // An answer is not answered.
      const isHandled = envelopes.every(
        (one) => isResponseEnvelope(one) || (malformedReplies.length > 0 && !isCallEnvelope(one)),
      );
      return envelopes.length > 0 && isHandled ? onRejected(lineError) : rejectLine(lineError);
    }
    const { message } = read;
    if (isJSONRPCRequest(message)) {
      // An answer to the second would be taken for one to the first.
      if (running.has(message.id))
        return rejectLine({ code: -32_600, message: 'Invalid Request: a call with this id runs', id: null });
      // A subscription is answered when it ends, with the connection.
      if (message.method !== 'subscriptions/listen') running.add(message.id);
    } else if (isCancelNotification(message)) finishRequest(message.params.requestId);
    pendingRequests.onReceived(message);
    transport.onmessage?.(message);
  };
  const rejectLine = (lineError: LineError) => {
    onRejected(lineError);
    const { code, message } = lineError;
    // With its id the error would be taken for the answer to the call that runs.
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
