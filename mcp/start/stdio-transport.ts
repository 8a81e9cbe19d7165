import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest, isJSONRPCResponse, type Transport } from '@modelcontextprotocol/server';
import { type Id, isAnswer, isCall } from './envelopes.ts';
import { createOpenQuestions, isCancelled } from './open-questions.ts';
import { createLineReader, type Refusal, readLine, refuseTooLong } from './stdio-lines.ts';

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
  const questions = createOpenQuestions();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let onSettled: () => void = () => undefined;
  let closed = false;

  const hear = (read: ReturnType<typeof readLine>) => {
    if (!read || closed) return;
    if ('refused' in read) {
      const { refused, envelopes } = read;
      const broken = questions.endedBy(envelopes);
      for (const message of broken) transport.onmessage?.(message);
      // An answer is not answered.
      const isHeard = envelopes.every((one) => isAnswer(one) || (broken.length > 0 && !isCall(one)));
      return envelopes.length > 0 && isHeard ? onRefused(refused) : refuse(refused);
    }
    const { message } = read;
    if (isJSONRPCRequest(message)) {
      // An answer to the second would be taken for one to the first.
      if (running.has(message.id))
        return refuse({ code: -32_600, message: 'Invalid Request: a call with this id runs', id: null });
      // A subscription is answered when it ends, with the connection.
      if (message.method !== 'subscriptions/listen') running.add(message.id);
    } else if (isCancelled(message)) done(message.params.requestId);
    questions.heard(message);
    transport.onmessage?.(message);
  };
  const refuse = (refusal: Refusal) => {
    onRefused(refusal);
    const { code, message } = refusal;
    // With its id the error would be taken for the answer to the call that runs.
    const id = refusal.id !== null && running.has(refusal.id) ? null : refusal.id;
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
    (start, end) => hear(refuseTooLong(start, end)),
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
      questions.sent(message);
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
