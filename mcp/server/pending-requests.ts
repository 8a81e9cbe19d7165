import { isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { createMalformedResponseError } from '../confirm/malformed-response.ts';
import { isCallEnvelope, type JsonRpcEnvelope, type JsonRpcId } from './jsonrpc-envelope.ts';

export type PendingRequests = ReturnType<typeof createPendingRequests>;

/** Tracks requests of this server to the host of one connection that are not answered yet. */
export function createPendingRequests() {
  const pendingIds = new Set<JsonRpcId>();
  return {
    onSent(message: JSONRPCMessage): void {
      if (isJSONRPCRequest(message)) pendingIds.add(message.id);
      else if (isCancelNotification(message)) pendingIds.delete(message.params.requestId);
    },
    onReceived(message: JSONRPCMessage): void {
      if (isJSONRPCResponse(message) && message.id !== undefined) pendingIds.delete(message.id);
    },
    /**
     * Returns errors to process instead of malformed responses, so that no call waits for a timeout. A response
     * without an id is attributed to the only pending request. Never counts as approval.
     */
    closeMalformed(envelopes: readonly JsonRpcEnvelope[]) {
      const responses = envelopes.filter((envelope) => !isCallEnvelope(envelope));
      const ids = new Set(responses.flatMap(({ id }) => (id !== undefined && pendingIds.has(id) ? [id] : [])));
      const [onlyId] = pendingIds;
      const isUnattributed = ids.size === 0 && responses.some(({ id }) => id === undefined);
      if (isUnattributed && pendingIds.size === 1 && onlyId !== undefined) ids.add(onlyId);
      return [...ids].map((id) => {
        pendingIds.delete(id);
        return createMalformedResponseError(id);
      });
    },
  };
}

export function isCancelNotification(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params: { requestId: JsonRpcId } } {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return false;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number';
}
