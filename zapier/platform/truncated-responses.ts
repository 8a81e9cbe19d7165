import { type Agent, type ClientRequest, globalAgent, type IncomingMessage } from 'node:http';
import { globalAgent as secureAgent } from 'node:https';
import type { HttpRequestOptions } from 'zapier-platform-core';

/** Method through which Node passes a request to its agent, missing from its types. Proxy agents use it too. */
interface RequestingAgent {
  addRequest(request: ClientRequest, ...args: unknown[]): void;
}

/**
 * Detects truncated responses. Zapier's fetch (node-fetch 2) pipes a response into its own stream and misses a closed
 * connection, so a body with a length would be awaited until a timeout.
 */
export function createTruncationGuard(): {
  readonly agent: NonNullable<HttpRequestOptions['agent']>;
  /** Destroys the body with the response's error. */
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
    // Uses the global agent, which may be configured for a proxy.
    const baseAgent: Agent = protocol === 'https:' ? secureAgent : globalAgent;
    const { addRequest } = baseAgent as Agent & RequestingAgent;
    const addGuardedRequest: RequestingAgent['addRequest'] = (request, ...args) => {
      request.once('response', onResponse);
      // A kept-alive connection would be dead after Zapier's Lambda was frozen.
      request.shouldKeepAlive = false;
      addRequest.call(baseAgent, request, ...args);
    };
    return Object.create(baseAgent, { addRequest: { value: addGuardedRequest } });
  };
  return {
    // node-fetch also accepts a function from URL to agent.
    agent: agentFor as unknown as NonNullable<HttpRequestOptions['agent']>,
    guard(body) {
      guardedBody = body as { destroy?(error: Error): void };
      if (responseError) guardedBody.destroy?.(responseError);
    },
  };
}
