import { randomBytes, randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { computeHmac } from '../canonical-json.ts';
import { type CallStreams, closeCancelledStreams } from './close-cancelled-streams.ts';
import { createRpcError } from './json-body.ts';

export interface SessionLimits {
  readonly idleTimeoutMs: number;
  readonly maxPerKey: number;
  readonly maxTotal: number;
}

const DEFAULT_LIMITS: SessionLimits = { idleTimeoutMs: 60 * 60_000, maxPerKey: 64, maxTotal: 1024 };

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string;
  /** Set once connected. */
  streams?: CallStreams;
  /** Open requests and streams. */
  readonly openRequests: Set<Request>;
  usedAt: number;
}

/**
 * Sessions of the 2025 revisions. They connect a host's response to an elicitation with the call that waits for it. Keeps
 * them from `initialize` until DELETE or an hour without requests. Each responds only to the key
 * that created it. If there are too many, the longest idle one is closed; if none is idle, the host continues
 * without a session and therefore without elicitation.
 */
export function createHttpSessions(
  factory: McpServerFactory,
  options: { onError: (error: Error) => void; limits?: SessionLimits },
) {
  const { onError, limits = DEFAULT_LIMITS } = options;
  const salt = randomBytes(32);
  const sessions = new Map<string, Session>();
  const sweeper = setInterval(sweep, Math.min(limits.idleTimeoutMs, 60_000));
  sweeper.unref();

  const getOwner = (request: Request) => computeHmac(salt, request.headers.get('authorization') ?? '');

  function sweep(): void {
    for (const session of sessions.values())
      if (session.openRequests.size === 0 && Date.now() - session.usedAt >= limits.idleTimeoutMs) end(session);
  }

  function end(session: Session): void {
    session.transport.close().catch(onError);
  }

  function makeRoomFor(owner: string): boolean {
    const all = [...sessions.values()];
    const ownerSessions = all.filter((session) => session.owner === owner);
    if (ownerSessions.length < limits.maxPerKey && all.length < limits.maxTotal) return true;
    // A key with too many sessions loses its own first.
    const [idleSession] = (ownerSessions.length >= limits.maxPerKey ? ownerSessions : all)
      .filter(({ openRequests }) => openRequests.size === 0)
      .sort((a, b) => a.usedAt - b.usedAt);
    if (idleSession) end(idleSession);
    return idleSession !== undefined;
  }

  async function create(request: Request, owner: string): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    const session: Session = { transport, owner, openRequests: new Set(), usedAt: Date.now() };
    const server = await factory({ era: 'legacy', requestInfo: request });
    transport.onerror = onError;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    session.streams = closeCancelledStreams(transport);
    return session;
  }

  async function serve(session: Session, request: Request, body: unknown): Promise<Response> {
    const { transport, streams } = session;
    const callId = isJSONRPCRequest(body) ? body.id : undefined;
    // A response to the second would be taken for one to the first.
    if (callId !== undefined && streams?.isRunning(callId))
      return createRpcError(400, -32_600, 'Invalid Request: a call with this id is running');
    session.openRequests.add(request);
    session.usedAt = Date.now();
    const release = () => {
      if (session.openRequests.delete(request)) session.usedAt = Date.now();
    };
    request.signal.addEventListener('abort', () => {
      release();
      // Streams can't be resumed, so nobody would receive the response: the call is cancelled.
      if (callId !== undefined)
        transport.onmessage?.({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: callId, reason: 'the client disconnected' },
        });
    });
    try {
      const response = await transport.handleRequest(request, body === undefined ? undefined : { parsedBody: body });
      if (response.body) return withEndCallback(response, release);
      release();
      return response;
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    /** Returns the session's response, or undefined if the request needs no session. */
    async fetch(request: Request, body: unknown): Promise<Response | undefined> {
      const id = request.headers.get('mcp-session-id');
      const owner = getOwner(request);
      if (id === null) {
        if (!isInitializeRequest(body) || !makeRoomFor(owner)) return undefined;
        const session = await create(request, owner);
        const response = await serve(session, request, body);
        if (session.transport.sessionId === undefined) end(session);
        return response;
      }
      const session = sessions.get(id);
      if (session && session.owner !== owner && request.headers.get('authorization') === null)
        return createRpcError(401, -32_000, 'Send the key that opened this session as Authorization: Bearer.', {
          'www-authenticate': 'Bearer',
        });
      if (!session || session.owner !== owner)
        return createRpcError(404, -32_001, 'Session not found. Initialize again.');
      return serve(session, request, body);
    },
    async close(): Promise<void> {
      clearInterval(sweeper);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}

/** Wraps a response and reports the end of its stream. */
function withEndCallback(response: Response, onEnd: () => void): Response {
  const through = new TransformStream<Uint8Array, Uint8Array>();
  response.body?.pipeTo(through.writable).then(onEnd, onEnd);
  return new Response(through.readable, { status: response.status, headers: response.headers });
}
