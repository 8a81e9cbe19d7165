import { isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { createMalformedResponseError } from '../call/broken-answer.ts';
import { type Envelope, type Id, isCall } from './envelopes.ts';

/** What this side asked the host of one connection, as a form, and nobody answered yet. */
export interface OpenQuestions {
  sent(message: JSONRPCMessage): void;
  heard(message: JSONRPCMessage): void;
  /**
   * What to hear in the place of answers that are no messages, so that nobody waits for them until time is over. Where it can't be
   * told which question one was meant for, and just one is open, it was that. None of it is ever a yes.
   */
  endedBy(envelopes: readonly Envelope[]): ReturnType<typeof createMalformedResponseError>[];
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Set<Id>();
  return {
    sent(message) {
      if (isJSONRPCRequest(message)) open.add(message.id);
      // Whoever asked waits no more.
      else if (isCancelled(message)) open.delete(message.params.requestId);
    },
    heard(message) {
      if (isJSONRPCResponse(message) && message.id !== undefined) open.delete(message.id);
    },
    endedBy(envelopes) {
      const answers = envelopes.filter((one) => !isCall(one));
      const ids = new Set(answers.flatMap(({ id }) => (id !== undefined && open.has(id) ? [id] : [])));
      const [only] = open;
      const isAnybodys = ids.size === 0 && answers.some(({ id }) => id === undefined);
      if (isAnybodys && open.size === 1 && only !== undefined) ids.add(only);
      return [...ids].map((id) => {
        open.delete(id);
        return createMalformedResponseError(id);
      });
    },
  };
}

/** Whether a message takes a request back. */
export function isCancelled(message: JSONRPCMessage): message is JSONRPCMessage & {
  params: { requestId: Id };
} {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return false;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number';
}
