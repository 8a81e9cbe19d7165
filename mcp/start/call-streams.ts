import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Id } from './envelopes.ts';
import { isCancelled } from './open-questions.ts';

/** The calls of one POST, whose answers share a stream. */
interface Stream {
  readonly running: Set<Id>;
  readonly cancelled: Set<Id>;
}

/** The calls that run over one transport, by the streams that wait for them. */
export interface CallStreams {
  runs(id: Id): boolean;
}

/**
 * Ends the stream of a POST once all its calls are answered or cancelled. The SDK's transport waits for an answer to each,
 * and a cancelled call is answered by nobody. Only for a transport that is connected.
 */
export function endCancelledStreams(transport: WebStandardStreamableHTTPServerTransport): CallStreams {
  const streams = new Map<Id, Stream>();
  const ofPost = new WeakMap<Request, Stream>();
  const hear = transport.onmessage;
  const send = transport.send.bind(transport);

  function begin(id: Id, post: Request | undefined): void {
    const stream = (post && ofPost.get(post)) ?? { running: new Set(), cancelled: new Set() };
    if (post) ofPost.set(post, stream);
    stream.running.add(id);
    streams.set(id, stream);
  }

  function cancel(id: Id): void {
    const stream = streams.get(id);
    if (!stream?.running.delete(id)) return;
    stream.cancelled.add(id);
    streams.delete(id);
    // The rest of its batch, which is heard now, may begin more.
    setImmediate(() => void endIfDone(stream));
  }

  async function endIfDone({ running, cancelled }: Stream): Promise<void> {
    if (running.size > 0) return;
    for (const id of cancelled) transport.closeSSEStream(id);
    // The transport keeps what it knows of a call until that is answered, and reports an answer without a stream.
    const { onerror = unheard } = transport;
    for (const id of cancelled) {
      transport.onerror = unheard;
      const sent = send({ jsonrpc: '2.0', id, error: { code: -32_800, message: 'Cancelled' } });
      transport.onerror = onerror;
      await sent.catch(unheard);
    }
    cancelled.clear();
  }

  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if (isJSONRPCRequest(message)) begin(message.id, extra?.request);
    hear?.(message, extra);
    if (isCancelled(message)) cancel(message.params.requestId);
  };
  transport.send = async (message, options) => {
    if (!isJSONRPCResponse(message) || message.id === undefined) return send(message, options);
    const stream = streams.get(message.id);
    // Cancelled when it was as good as answered.
    if (!stream) return;
    stream.running.delete(message.id);
    streams.delete(message.id);
    await send(message, options);
    if (stream.cancelled.size > 0) await endIfDone(stream);
  };
  return { runs: (id) => streams.has(id) };
}

const unheard = () => undefined;

/** The same servers; over a transport for one POST, which may be a batch that cancels its own calls, their streams end. */
export function endingCancelled(factory: McpServerFactory): McpServerFactory {
  return async (context) => {
    const server = await factory(context);
    if (context.era !== 'legacy') return server;
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      await connect(transport);
      if (transport instanceof WebStandardStreamableHTTPServerTransport) endCancelledStreams(transport);
    };
    return server;
  };
}
