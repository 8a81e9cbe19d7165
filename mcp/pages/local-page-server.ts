import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { StateProvider } from '../state/shared-state.ts';
import { type ConfirmationRequests, createConfirmationRequests } from './confirmation-requests.ts';
import { createConfirmationRoutes } from './confirmation-routes.ts';
import { renderNotFoundPage, sendPage } from './layout.ts';
import { addStylesheet } from './stylesheet-route.ts';

export interface PageServer {
  readonly requests: ConfirmationRequests;
  close(): Promise<void>;
}

/** Serves confirmation pages on a free port of 127.0.0.1. */
export async function startPageServer(state: StateProvider): Promise<PageServer> {
  const app = new Hono();
  let publicUrl = '';
  const requests = createConfirmationRequests({ state, getUrl: (token) => `${publicUrl}/confirm/${token}` });
  app.use(async (context, next) => {
    // Another host name would be DNS rebinding.
    if (context.req.header('host') === new URL(publicUrl).host) return next();
    return context.text('Wrong host name.', 421);
  });
  addStylesheet(app);
  app.notFound((context) => sendPage(context, renderNotFoundPage('Open the link in the chat.'), 404));
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
