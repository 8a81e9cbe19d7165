import { createServer, type IncomingHttpHeaders } from 'node:http';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/index.ts';
import { findTestBrowser } from '../../scripts/browser.ts';
import { createForm, sendJson } from './ask-service.ts';
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

/** Calls the API with a key that has all scopes. */
export function createCaller(sandbox: Sandbox) {
  const key = sandbox.key();
  return (route: string, body?: object) => {
    const [method = '', path = ''] = route.split(' ');
    return sendJson(sandbox, { key, method, path, body });
  };
}

/** The status and heading of a page, read without a browser. */
export async function readTitle(url: string) {
  const answer = await fetch(url);
  return { status: answer.status, title: /<h1>(.*?)<\/h1>/.exec(await answer.text())?.[1] };
}

export async function drawDocument(titles: readonly string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const title of titles) pdf.addPage([595, 842]).drawText(title, { x: 60, y: 700, size: 32, font });
  return pdf.save();
}

/** Uploads a PDF with one page per title. Returns its ID. */
export async function storeDocument(
  call: ReturnType<typeof createCaller>,
  input: { name: string; titles: readonly string[] },
): Promise<string> {
  const bytes = Uint8Array.from(await drawDocument(input.titles));
  const file = new File([bytes], 'file.pdf', { type: 'application/pdf' });
  return (await call('POST /documents', createForm({ file, name: input.name }))).body.id;
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
