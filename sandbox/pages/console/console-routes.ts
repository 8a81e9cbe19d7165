import type { Hono } from 'hono';
import type { Env, RouteDependencies } from '../../server/exchange.ts';
import { isLocalRequest } from '../../server/local-only.ts';
import { sendPage } from '../layout/document-page.ts';
import { renderConsole } from './console-page.ts';

/** Adds the console at `/`. It refreshes on server-sent events. */
export function addConsole(app: Hono<Env>, dependencies: RouteDependencies): void {
  // Reachable from links on any site, unlike the control routes; its headers forbid framing.
  app.get('/', async (context) =>
    isLocalRequest(context)
      ? sendPage(context, renderConsole(dependencies))
      : context.text('This page is available only on this machine, at 127.0.0.1 or localhost\n', 403),
  );
}
