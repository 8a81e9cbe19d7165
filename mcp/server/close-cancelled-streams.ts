import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { JsonRpcId } from './jsonrpc-envelope.ts';
import { isCancelNotification } from './pending-requests.ts';

/** The calls of one POST, whose answers share a stream. */
interface Stream {
  readonly running: Set<JsonRpcId>;
  readonly cancelled: Set<JsonRpcId>;
}

/** The calls that run over one transport, by the streams that wait for them. */
export interface CallStreams {
  isRunning(id: JsonRpcId): boolean;
}

/**
 * Ends the stream of a POST once all its calls are answered or cancelled. The SDK's transport waits for an answer to each,
 * and a cancelled call is answered by nobody. Only for a transport that is connected.
 */
export function closeCancelledStreams(transport: WebStandardStreamableHTTPServerTransport): CallStreams {
  const streams = new Map<JsonRpcId, Stream>();
  const streamsByRequest = new WeakMap<Request, Stream>();
  const handleMessage = transport.onmessage;
  const send = transport.send.bind(transport);

  function startCall(id: JsonRpcId, request: Request | undefined): void {
    const stream = (request && streamsByRequest.get(request)) ?? { running: new Set(), cancelled: new Set() };
    if (request) streamsByRequest.set(request, stream);
    stream.running.add(id);
    streams.set(id, stream);
  }

  function cancel(id: JsonRpcId): void {
    const stream = streams.get(id);
    if (!stream?.running.delete(id)) return;
    stream.cancelled.add(id);
    streams.delete(id);
    // The rest of its batch, which is heard now, may begin more.
    setImmediate(() => void closeIfDone(stream));
  }

  async function closeIfDone({ running, cancelled }: Stream): Promise<void> {
    if (running.size > 0) return;
    for (const id of cancelled) transport.closeSSEStream(id);
    // The transport keeps what it knows of a call until that is answered, and reports an answer without a stream.
    const { onerror = noop } = transport;
    for (const id of cancelled) {
      transport.onerror = noop;
      const sent = send({ jsonrpc: '2.0', id, error: { code: -32_800, message: 'Cancelled' } });
      transport.onerror = onerror;
      await sent.catch(noop);
    }
    cancelled.clear();
  }

  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if (isJSONRPCRequest(message)) startCall(message.id, extra?.request);
    handleMessage?.(message, extra);
    if (isCancelNotification(message)) cancel(message.params.requestId);
  };
  transport.send = async (message, options) => {
    if (!isJSONRPCResponse(message) || message.id === undefined) return send(message, options);
    const stream = streams.get(message.id);
    // Cancelled when it was as good as answered.
    if (!stream) return;
    stream.running.delete(message.id);
    streams.delete(message.id);
    await send(message, options);
    if (stream.cancelled.size > 0) await closeIfDone(stream);
  };
  return { isRunning: (id) => streams.has(id) };
}

const noop = () => undefined;

/** The same servers; over a transport for one POST, which may be a batch that cancels its own calls, their streams end. */
export function withCancelledStreamsClosed(factory: McpServerFactory): McpServerFactory {
  return async (context) => {
    const server = await factory(context);
    if (context.era !== 'legacy') return server;
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      await connect(transport);
      if (transport instanceof WebStandardStreamableHTTPServerTransport) closeCancelledStreams(transport);
    };
    return server;
  };
}
