import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isCancelNotification } from './cancel-notification.ts';

export type CallStreams = ReturnType<typeof closeCancelledStreams>;

/**
 * Closes the response stream of a call when the call is cancelled. The SDK's transport waits for a response to each call,
 * and cancelled calls get none. The transport must be connected.
 */
export function closeCancelledStreams(transport: WebStandardStreamableHTTPServerTransport) {
  const running = new Set<RequestId>();
  const handleMessage = transport.onmessage;
  const send = transport.send.bind(transport);

  async function close(id: RequestId): Promise<void> {
    transport.closeSSEStream(id);
    // The transport frees a call's data only when it is answered, and reports a response without a stream as an error.
    const { onerror = noop } = transport;
    transport.onerror = noop;
    const sent = send({ jsonrpc: '2.0', id, error: { code: -32_800, message: 'Cancelled' } });
    transport.onerror = onerror;
    await sent.catch(noop);
  }

  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if (isJSONRPCRequest(message)) running.add(message.id);
    handleMessage?.(message, extra);
    if (isCancelNotification(message) && running.delete(message.params.requestId)) void close(message.params.requestId);
  };
  transport.send = async (message, options) => {
    const id = isJSONRPCResponse(message) ? message.id : undefined;
    // False if the call was cancelled just before it was answered.
    if (id === undefined || running.delete(id)) await send(message, options);
  };
  return { isRunning: (id: RequestId) => running.has(id) };
}

const noop = () => undefined;
