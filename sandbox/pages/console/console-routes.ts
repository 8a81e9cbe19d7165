import type { Hono } from 'hono';
import type { Env, RouteDependencies } from '../../server/exchange.ts';
import { isLocalRequest } from '../../server/local-only.ts';
import { sendPage } from '../layout/document-page.ts';
import { renderConsole } from './console-page.ts';

/** The page at `/`, which shows the sandbox at work. It keeps itself fresh by the news. */
export function addConsole(app: Hono<Env>, dependencies: RouteDependencies): void {
  // Opened from a link on any site, unlike the routes behind it: its own headers keep it out of frames.
  app.get('/', async (context) =>
    isLocalRequest(context)
      ? sendPage(context, renderConsole(dependencies))
      : context.text('This page answers this machine only, as 127.0.0.1 or localhost\n', 403),
  );
}
