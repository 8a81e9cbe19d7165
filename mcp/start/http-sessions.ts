import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type CallStreams, endCancelledStreams } from './call-streams.ts';
import type { Envelope } from './envelopes.ts';
import { rpcError } from './http-body.ts';
import { createOpenQuestions, type OpenQuestions } from './open-questions.ts';

/** The sessions of the 2025 revisions: without one, a host's answer to a form would find no call that waits for it. */
export interface HttpSessions {
  /** The answer of a session; undefined where the request belongs to none and needs none. */
  fetch(request: Request, body: unknown): Promise<Response | undefined>;
  /** Ends the forms of the request's session whose answers were no messages. */
  hearBroken(request: Request, envelopes: readonly Envelope[]): void;
  close(): Promise<void>;
}

export interface SessionLimits {
  readonly idleMs: number;
  readonly perKey: number;
  readonly inAll: number;
}

const LIMITS: SessionLimits = { idleMs: 60 * 60_000, perKey: 64, inAll: 1024 };

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string;
  readonly questions: OpenQuestions;
  /** Once it is connected. */
  streams?: CallStreams;
  /** Requests and streams that are open. */
  open: number;
  usedAt: number;
}

/**
 * Sessions from `initialize` until their DELETE or an hour without a request. Each answers only to the key that made it.
 * Where there are too many, the one that was idle longest makes room; where none is idle, a host goes on without a
 * session, and so without forms.
 */
export function createHttpSessions(
  factory: McpServerFactory,
  options: { onError: (error: Error) => void; limits?: SessionLimits },
): HttpSessions {
  const { onError, limits = LIMITS } = options;
  const salt = randomBytes(32);
  const sessions = new Map<string, Session>();
  const sweeper = setInterval(sweep, Math.min(limits.idleMs, 60_000));
  sweeper.unref();

  const getOwner = (request: Request) =>
    createHmac('sha256', salt)
      .update(request.headers.get('authorization') ?? '')
      .digest('base64url');

  function sweep(): void {
    for (const session of sessions.values())
      if (session.open === 0 && Date.now() - session.usedAt >= limits.idleMs) end(session);
  }

  function end(session: Session): void {
    session.transport.close().catch(onError);
  }

  function hasRoomFor(owner: string): boolean {
    const all = [...sessions.values()];
    const own = all.filter((session) => session.owner === owner);
    if (own.length < limits.perKey && all.length < limits.inAll) return true;
    // Whoever opens too many loses his own first.
    const [idlest] = (own.length >= limits.perKey ? own : all)
      .filter(({ open }) => open === 0)
      .sort((a, b) => a.usedAt - b.usedAt);
    if (idlest) end(idlest);
    return idlest !== undefined;
  }

  async function create(request: Request, owner: string): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    const questions = createOpenQuestions();
    const session: Session = { transport, owner, questions, open: 0, usedAt: Date.now() };
    const server = await factory({ era: 'legacy', requestInfo: request });
    transport.onerror = onError;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    const { onmessage, send } = transport;
    transport.onmessage = (message, extra) => {
      questions.heard(message);
      onmessage?.(message, extra);
    };
    transport.send = (message, sending) => {
      questions.sent(message);
      return send.call(transport, message, sending);
    };
    session.streams = endCancelledStreams(transport);
    return session;
  }

  async function serve(session: Session, request: Request, body: unknown): Promise<Response> {
    const { transport, streams } = session;
    // An answer to the second would be taken for one to the first.
    if (requestsIn(body).some(({ id }) => streams?.runs(id)))
      return rpcError(400, -32_600, 'Invalid Request: a call with this id runs');
    session.open++;
    session.usedAt = Date.now();
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      session.open--;
      session.usedAt = Date.now();
    };
    request.signal.addEventListener('abort', () => {
      leave();
      // Streams can't be taken up again here, so nobody would hear the answers: their calls end.
      for (const { id } of requestsIn(body))
        transport.onmessage?.({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'the client disconnected' },
        });
    });
    try {
      const response = await transport.handleRequest(
        request,
        body === undefined ? undefined : { parsedBody: body },
      );
      if (response.body) return watched(response, leave);
      leave();
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  }

  return {
    async fetch(request, body) {
      const id = request.headers.get('mcp-session-id');
      const owner = getOwner(request);
      if (id === null) {
        if (!isInitializeRequest(body) || !hasRoomFor(owner)) return undefined;
        const session = await create(request, owner);
        const response = await serve(session, request, body);
        if (session.transport.sessionId === undefined) end(session);
        return response;
      }
      const session = sessions.get(id);
      if (session && session.owner !== owner && request.headers.get('authorization') === null)
        return rpcError(401, -32_000, 'Send the key that opened this session as Authorization: Bearer.', {
          'www-authenticate': 'Bearer',
        });
      if (!session || session.owner !== owner)
        return rpcError(404, -32_001, 'Session not found: initialize again.');
      return serve(session, request, body);
    },
    hearBroken(request, envelopes) {
      const session = sessions.get(request.headers.get('mcp-session-id') ?? '');
      if (!session || session.owner !== getOwner(request)) return;
      for (const message of session.questions.endedBy(envelopes)) session.transport.onmessage?.(message);
    },
    async close() {
      clearInterval(sweeper);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}

function requestsIn(body: unknown) {
  return (Array.isArray(body) ? body : [body]).filter(isJSONRPCRequest);
}

/** The same answer, that tells when its stream has ended. */
function watched(response: Response, onEnd: () => void): Response {
  const through = new TransformStream<Uint8Array, Uint8Array>();
  response.body?.pipeTo(through.writable).then(onEnd, onEnd);
  return new Response(through.readable, { status: response.status, headers: response.headers });
}
