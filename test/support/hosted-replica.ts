import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { createAccounts } from '../../mcp/account/account.ts';
import type { ConfirmMode } from '../../mcp/call/call-tool.ts';
import { createIdempotencyStore } from '../../mcp/call/idempotency.ts';
import { createConfirmation } from '../../mcp/confirm/confirm.ts';
import { createFileAccess } from '../../mcp/files/file-access.ts';
import { createDownloadRoutes } from '../../mcp/hosted/file-transfer/download-routes.ts';
import { createDownloadTickets } from '../../mcp/hosted/file-transfer/download-tickets.ts';
import { createUploadReceiver } from '../../mcp/hosted/file-transfer/receive-upload.ts';
import { createTransferSlots } from '../../mcp/hosted/file-transfer/transfer-slots.ts';
import { createUploadRoutes } from '../../mcp/hosted/file-transfer/upload-routes.ts';
import { getStreamTimeouts, type StreamTimeouts } from '../../mcp/hosted/file-transfer/upload-stream.ts';
import { createUploadTickets } from '../../mcp/hosted/file-transfer/upload-tickets.ts';
import { createIpRateLimiter } from '../../mcp/hosted/http/ip-rate-limiter.ts';
import { createConfirmationRequests } from '../../mcp/pages/confirmation-requests.ts';
import { createConfirmationRoutes } from '../../mcp/pages/confirmation-routes.ts';
import { STYLESHEET } from '../../mcp/pages/stylesheet.ts';
import { selectToolset } from '../../mcp/server/select-toolset.ts';
import { createServerFactory } from '../../mcp/server-factory.ts';
import type { SharedState } from '../../mcp/state/shared-state.ts';
import { startServer } from './start-server.ts';

/** A replica without sign-in: a bearer token names one of `grants`. Replicas share a state and the first one's URL. */
export async function openReplica(options: {
  baseUrl: string;
  state: SharedState;
  /** `browser` is the hash of the browser that signed in. */
  grants: Readonly<Record<string, { grant: string; key: string; browser: string }>>;
  ended?: Set<string>;
  publicUrl?: () => string;
  confirm?: ConfirmMode;
  waitMs?: number;
  /** Minimum time for an answer, for tests of answers that are too fast for a person. */
  minAnswerMs?: number;
  formWaitMs?: number;
  limits?: { total: number; perGrant: number };
  uploadTimeouts?: StreamTimeouts;
  now?: () => number;
}) {
  const {
    baseUrl,
    grants,
    ended = new Set<string>(),
    confirm = 'auto',
    waitMs = 300,
    minAnswerMs = 0,
    formWaitMs = 40_000,
    now,
    limits,
  } = options;
  const state = async () => options.state;
  // On a busy machine, the next call after an answer may be late: a connection closed meanwhile would fail the test.
  const server = createServer({ keepAliveTimeout: 60_000 });
  const { origin: own, close } = await startServer(server);
  const publicUrl = options.publicUrl?.() ?? own;
  const clock = now ? { now } : {};
  const accounts = createAccounts({ baseUrl, missingKey: 'No key.', state });
  const questions = createConfirmationRequests({
    state,
    getUrl: (token) => `${publicUrl}/confirm/${token}`,
    // All tests of a file share a grant.
    limits: { perGrant: 1000, perKey: 1000 },
    ...clock,
  });
  const uploadUrl = (token: string) => `${publicUrl}/upload/${token}`;
  const handOvers = createUploadTickets({ state, getUploadUrl: uploadUrl, waitMs, ...clock });
  const downloads = createDownloadTickets({ state, getUrl: (token) => `${publicUrl}/download/${token}`, ...clock });
  const isEnded = async (grant: string) => ended.has(grant);
  const slots = createTransferSlots(limits);
  const keyLimiter = createIpRateLimiter(30);
  const receiver = createUploadReceiver({ uploadTickets: handOvers, accounts, isRevoked: isEnded, slots, state });
  const { tools, readableGroups } = selectToolset({ hosted: true });
  const grantOf = (request: Request | undefined) =>
    grants[request?.headers.get('authorization')?.replace('Bearer ', '') ?? ''];
  const handler = createMcpHandler(
    (request) => {
      const held = grantOf(request.requestInfo);
      if (!held) throw new Error('No grant');
      return createServerFactory({
        tools,
        accounts: { ...accounts, get: () => accounts.get(held.key) },
        apiKey: held.key,
        services: {
          confirm,
          mode: { readOnly: false, sandbox: false, confirm, readableGroups },
          confirmation: createConfirmation({ state, pageWaitMs: waitMs, formWaitMs, minAnswerMs, ...clock }),
          state,
          idempotencyStore: createIdempotencyStore({ state, ...clock }),
          files: createFileAccess([], { folderAdvice: false }),
        },
        userPages: (account) => {
          const { grant, key: apiKey, browser } = held;
          const requester = { grant, account: account.getSharedFingerprint(options.state.secret), browser };
          return {
            signIn: grant,
            confirmationPage: {
              openQuestion: (act) => questions.findOrCreate(act, requester),
              isDecided: (binding) => questions.isDecided(binding, requester),
            },
            fileTransfer: {
              ...handOvers.forOwner({ grant, apiKey }),
              ...downloads.forOwner({ grant, apiKey }),
              startFetch: () => slots.acquire(grant),
            },
          };
        },
      })(request);
    },
    { maxRequestBodySize: 8 * 1024 * 1024 },
  );
  const app = new Hono();
  app.all('/mcp', (context) => handler.fetch(context.req.raw));
  app.get('/pages.css', (context) => context.body(STYLESHEET, 200, { 'content-type': 'text/css' }));
  app.route(
    '/confirm',
    createConfirmationRoutes({
      state,
      confirmationRequests: questions,
      countKeyAttempt: async (context) => keyLimiter.take(context.req.header('x-forwarded-for') ?? ''),
      baseUrl,
      publicUrl,
      isRevoked: isEnded,
    }),
  );
  const { uploadTimeouts } = options;
  app.route(
    '/upload',
    createUploadRoutes({
      uploadTickets: handOvers,
      receiver,
      publicUrl,
      isRevoked: isEnded,
      getTimeouts: (sizeBytes) => uploadTimeouts ?? getStreamTimeouts(sizeBytes),
    }),
  );
  app.route('/download', createDownloadRoutes({ downloadTickets: downloads, accounts, publicUrl, isRevoked: isEnded }));
  server.on('request', getRequestListener(app.fetch));
  return {
    url: own,
    mcp: new URL(`${own}/mcp`),
    questions,
    async close() {
      await handler.close();
      close();
      await accounts.close();
    },
  };
}
