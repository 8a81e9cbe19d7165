import type { Hono } from 'hono';
import { CONTROL_PATH } from '../../control/controlled.ts';
import { isThisMachine, refuseStrangers } from '../../control/refuse-strangers.ts';
import type { Doors, Env } from '../../http/exchange.ts';
import { sendPage } from '../document-page.ts';
import { consolePage } from './console-page.ts';
import { createFeed } from './feed.ts';

/** The page at `/`, which shows the sandbox at work, and the stream that keeps it fresh. */
export function addConsole(app: Hono<Env>, doors: Doors): void {
  const stream = createFeed(doors);
  // Opened from a link on any site, unlike the routes behind it: its own headers keep it out of frames.
  app.get('/', async (context) =>
    isThisMachine(context)
      ? sendPage(context, consolePage(doors))
      : context.text('This page answers this machine only, as 127.0.0.1 or localhost\n', 403),
  );
  app.get(`${CONTROL_PATH}/stream`, refuseStrangers, (context) => stream(context));
}
