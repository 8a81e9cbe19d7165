import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Account } from '../account/account.ts';
import type { ConfirmationPage } from '../confirm/confirmation-page.ts';
import type { StateProvider } from '../state/shared-state.ts';
import { type ConfirmationRequests, createConfirmationRequests } from './confirmation-requests.ts';
import { createConfirmationRoutes } from './confirmation-routes.ts';
import { addStylesheet } from './stylesheet-route.ts';

/** Confirmation pages on 127.0.0.1, for a server that runs on the user's machine. */
export interface LocalConfirmationPages {
  forAccount(account: Account): ConfirmationPage;
  close(): Promise<void>;
}

/** The browser may be opened again for the same question after this time. */
const REOPEN_AFTER_MS = 60_000;

interface PageServer {
  readonly requests: ConfirmationRequests;
  close(): Promise<void>;
}

/** The HTTP server starts with the first question. */
export function createLocalConfirmationPages(options: {
  state: StateProvider;
  openBrowser: (url: string) => Promise<boolean>;
}): LocalConfirmationPages {
  const { state, openBrowser } = options;
  const openedAt = new Map<string, number>();
  let starting: Promise<PageServer> | undefined;
  const start = () => {
    starting ??= startPageServer(state);
    return starting;
  };
  return {
    forAccount: (account) => ({
      async openQuestion(request) {
        const { requests } = await start();
        const { secret } = await state();
        return requests.findOrCreate(request, {
          grant: 'local',
          account: account.getSharedFingerprint(secret),
          browser: '',
        });
      },
      async openInBrowser(url) {
        if (Date.now() - (openedAt.get(url) ?? 0) < REOPEN_AFTER_MS) return true;
        const isOpened = await openBrowser(url);
        if (isOpened) openedAt.set(url, Date.now());
        return isOpened;
      },
    }),
    close: async () => (await starting)?.close(),
  };
}

async function startPageServer(state: StateProvider): Promise<PageServer> {
  const app = new Hono();
  let publicUrl = '';
  const requests = createConfirmationRequests({ state, getUrl: (token) => `${publicUrl}/confirm/${token}` });
  app.use(async (context, next) => {
    // Another host name would be DNS rebinding.
    if (context.req.header('host') === new URL(publicUrl).host) return next();
    return context.text('Wrong host name.', 421);
  });
  addStylesheet(app);
  const { promise: listening, resolve } = Promise.withResolvers<number>();
  const server = serve({ fetch: (request) => app.fetch(request), port: 0, hostname: '127.0.0.1' }, ({ port }) =>
    resolve(port),
  );
  publicUrl = `http://127.0.0.1:${await listening}`;
  app.route(
    '/confirm',
    createConfirmationRoutes({
      state,
      confirmationRequests: requests,
      verification: 'url',
      baseUrl: undefined,
      publicUrl,
      isRevoked: async () => false,
    }),
  );
  // The process may end while a page is open.
  server.unref();
  return {
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
