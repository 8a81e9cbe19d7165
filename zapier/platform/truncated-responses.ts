import { type Agent, type ClientRequest, globalAgent, type IncomingMessage } from 'node:http';
import { globalAgent as secureAgent } from 'node:https';
import type { HttpRequestOptions } from 'zapier-platform-core';

/** How Node hands a request to its agent; proxies' agents stand on it too, and its types leave it out. */
interface RequestingAgent {
  addRequest(request: ClientRequest, ...args: unknown[]): void;
}

/**
 * Hears of answers that break off. The platform's fetch (node-fetch 2) pipes an answer into a stream of its own and
 * overlooks that the connection went away: a body with a length would be waited for until some clock ends it.
 */
export function createTruncationGuard(): {
  readonly agent: NonNullable<HttpRequestOptions['agent']>;
  /** Ends the body with the answer's own fault. */
  guard(body: NodeJS.ReadableStream): void;
} {
  let responseError: Error | undefined;
  let guardedBody: { destroy?(error: Error): void } | undefined;
  const onResponse = (response: IncomingMessage) =>
    response.on('error', (error) => {
      responseError = error;
      guardedBody?.destroy?.(error);
    });
  const agentFor = ({ protocol }: URL): Agent => {
    // The process's own agent does the work: a platform may have given it a proxy.
    const baseAgent: Agent = protocol === 'https:' ? secureAgent : globalAgent;
    const { addRequest } = baseAgent as Agent & RequestingAgent;
    const addGuardedRequest: RequestingAgent['addRequest'] = (request, ...args) => {
      request.once('response', onResponse);
      // A connection that was kept while the platform slept would be dead.
      request.shouldKeepAlive = false;
      addRequest.call(baseAgent, request, ...args);
    };
    return Object.create(baseAgent, { addRequest: { value: addGuardedRequest } });
  };
  return {
    // The platform passes on what node-fetch takes: a function that gives the agent of an address.
    agent: agentFor as unknown as NonNullable<HttpRequestOptions['agent']>,
    guard(body) {
      guardedBody = body as { destroy?(error: Error): void };
      if (responseError) guardedBody.destroy?.(responseError);
    },
  };
}
