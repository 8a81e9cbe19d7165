import { type Agent, type ClientRequest, globalAgent, type IncomingMessage } from 'node:http';
import { globalAgent as secureAgent } from 'node:https';
import type { HttpRequestOptions } from 'zapier-platform-core';

/** How Node hands a request to its agent; proxies' agents stand on it too, and its types leave it out. */
interface Requested {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/**
 * Hears of answers that break off. The platform's fetch (node-fetch 2) pipes an answer into a stream of its own and
 * overlooks that the connection went away: a body with a length would be waited for until some clock ends it.
 */
export function createCutWatch(): {
  readonly agent: NonNullable<HttpRequestOptions['agent']>;
  /** Ends the body with the answer's own fault. */
  guard(body: NodeJS.ReadableStream): void;
} {
  let fault: Error | undefined;
  let guarded: { destroy?(error: Error): void } | undefined;
  const hear = (answer: IncomingMessage) =>
    answer.on('error', (error) => {
      fault = error;
      guarded?.destroy?.(error);
    });
  const agentFor = ({ protocol }: URL): Agent => {
    // The process's own agent does the work: a platform may have given it a proxy.
    const own: Agent = protocol === 'https:' ? secureAgent : globalAgent;
    const { addRequest } = own as Agent & Requested;
    const add: Requested['addRequest'] = (request, ...rest) => {
      request.once('response', hear);
      // A connection that was kept while the platform slept would be dead.
      request.shouldKeepAlive = false;
      addRequest.call(own, request, ...rest);
    };
    return Object.create(own, { addRequest: { value: add } });
  };
  return {
    // The platform passes on what node-fetch takes: a function that gives the agent of an address.
    agent: agentFor as unknown as NonNullable<HttpRequestOptions['agent']>,
    guard(body) {
      guarded = body as { destroy?(error: Error): void };
      if (fault) guarded.destroy?.(fault);
    },
  };
}
