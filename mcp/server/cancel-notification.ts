import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

export function isCancelNotification(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params: { requestId: RequestId } } {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return false;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number';
}
