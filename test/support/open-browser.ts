import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findTestBrowser } from '../../scripts/browser.ts';
import { startServer } from './start-server.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Timeout for a hang: a busy machine can exceed the usual 30 s. */
export const PATIENCE_MS = 100_000;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ ...findTestBrowser(), args: ARGS });
}

/** Opens a page that records its failures: console errors, thrown errors, dialogs opened by a script. */
export async function openPage(
  browser: Browser,
  size = { width: 1280, height: 850 },
): Promise<{ page: Page; problems: string[] }> {
  // With reduced motion, the browser draws no frames for animations.
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const problems: string[] = [];
  const watch = (page: Page) => {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
  };
  context.on('page', watch);
  return { page: await context.newPage(), problems };
}

/** Starts an endpoint on loopback that accepts every event. */
export async function openEndpoint() {
  const events: { headers: IncomingHttpHeaders; body: { type: string; data: Record<string, unknown> } }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks = await incoming.toArray();
    // Ports are reused: requests for the last owner of the port are ignored.
    if (incoming.method === 'POST' && incoming.url === '/hooks')
      events.push({ headers: incoming.headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
    outgoing.end();
  });
  const { origin, close } = await startServer(server);
  return { url: `${origin}/hooks`, events, close };
}
