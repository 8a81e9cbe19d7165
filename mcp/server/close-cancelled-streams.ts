import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { JsonRpcId } from './jsonrpc-envelope.ts';
import { isCancelNotification } from './pending-requests.ts';

/** Calls of one POST, which share a response stream. */
interface Stream {
  readonly running: Set<JsonRpcId>;
  readonly cancelled: Set<JsonRpcId>;
}

export type CallStreams = ReturnType<typeof closeCancelledStreams>;

/**
 * Closes the stream of a POST once all its calls are answered or cancelled. The SDK's transport waits for a
 * response to each call, and cancelled calls get none. The transport must be connected.
 */
export function closeCancelledStreams(transport: WebStandardStreamableHTTPServerTransport) {
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
    // The rest of the batch, which is processed now, may start more calls.
    setImmediate(() => void closeIfDone(stream));
  }

  async function closeIfDone({ running, cancelled }: Stream): Promise<void> {
    if (running.size > 0) return;
    for (const id of cancelled) transport.closeSSEStream(id);
    // The transport frees a call's data only when it is answered, and reports a response without a stream as an error.
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
    // Cancelled just before it was answered.
    if (!stream) return;
    stream.running.delete(message.id);
    streams.delete(message.id);
    await send(message, options);
    if (stream.cancelled.size > 0) await closeIfDone(stream);
  };
  return { isRunning: (id: JsonRpcId) => streams.has(id) };
}

const noop = () => undefined;

/**
 * Applies {@link closeCancelledStreams} to transports for a single POST, which may be a batch that cancels
 * its own calls.
 */
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
