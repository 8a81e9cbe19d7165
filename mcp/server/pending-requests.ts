import { isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { createMalformedResponseError } from '../confirm/malformed-response.ts';
import { isCallEnvelope, type JsonRpcEnvelope, type JsonRpcId } from './jsonrpc-envelope.ts';

/** What this side asked the host of one connection, as a form, and nobody answered yet. */
export interface PendingRequests {
  onSent(message: JSONRPCMessage): void;
  onReceived(message: JSONRPCMessage): void;
  /**
   * What to hear in the place of answers that are no messages, so that nobody waits for them until time is over. Where it can't be
   * told which question one was meant for, and just one is open, it was that. None of it is ever a yes.
   */
  closeMalformed(envelopes: readonly JsonRpcEnvelope[]): ReturnType<typeof createMalformedResponseError>[];
}

export function createPendingRequests(): PendingRequests {
  const pendingIds = new Set<JsonRpcId>();
  return {
    onSent(message) {
      if (isJSONRPCRequest(message)) pendingIds.add(message.id);
      // Whoever asked waits no more.
      else if (isCancelNotification(message)) pendingIds.delete(message.params.requestId);
    },
    onReceived(message) {
      if (isJSONRPCResponse(message) && message.id !== undefined) pendingIds.delete(message.id);
    },
    closeMalformed(envelopes) {
      const responses = envelopes.filter((one) => !isCallEnvelope(one));
      const ids = new Set(
        responses.flatMap(({ id }) => (id !== undefined && pendingIds.has(id) ? [id] : [])),
      );
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

/** Whether a message takes a request back. */
export function isCancelNotification(message: JSONRPCMessage): message is JSONRPCMessage & {
  params: { requestId: JsonRpcId };
} {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return false;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number';
}
