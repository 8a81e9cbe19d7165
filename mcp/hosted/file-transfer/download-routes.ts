import type { ServerResponse } from 'node:http';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Download } from '../../../src/index.ts';
import { getMediaTypeByName, SNIFF_BYTES, UNKNOWN_TYPE } from '../../../src/media-type.ts';
import type { Accounts } from '../../account/account.ts';
import { checkFileType } from '../../files/check-file-type.ts';
import { quoteText } from '../../result/quote.ts';
import { isSameOriginForm } from '../browser-session.ts';
import { errorPage, type HtmlPage, showPage } from '../pages/layout.ts';
import type { DownloadTicket, DownloadTickets } from './download-tickets.ts';
import { peekStart } from './upload-stream.ts';

export interface DownloadRoutesOptions {
  readonly downloadTickets: DownloadTickets;
  readonly accounts: Pick<Accounts, 'get'>;
  readonly publicUrl: string;
  readonly isRevoked: (grant: string, apiKey: string) => Promise<boolean>;
}

/**
 * An agreement's file at `/:token`, once. A program that asks gets it; a browser gets a button first, because chats and
 * browsers look at addresses on their own.
 */
export function createDownloadRoutes(deps: DownloadRoutesOptions): Hono {
  const { downloadTickets, accounts, publicUrl } = deps;
  const app = new Hono();

  app.get('/:token', async (context) => {
    const found = await find(context);
    if (!found) return showPage(context, downloadExpiredPage(), 404);
    if (context.req.method === 'HEAD' || isPreviewRequest(context.req.raw))
      return showPage(context, downloadPage(found));
    return send(context, found);
  });
  app.post('/:token', async (context) => {
    if (!isSameOriginForm(context.req.raw, publicUrl)) return showPage(context, CROSS_SITE_PAGE, 403);
    const found = await find(context);
    return found ? send(context, found) : showPage(context, downloadExpiredPage(), 404);
  });
  return app;

  async function find(context: Context): Promise<DownloadTicket | undefined> {
    const found = await downloadTickets.find(context.req.param('token') ?? '');
    return found && !(await deps.isRevoked(found.grant, found.apiKey)) ? found : undefined;
  }

  async function send(context: Context, { apiKey, id, name }: DownloadTicket): Promise<Response> {
    const token = context.req.param('token') ?? '';
    if (!(await downloadTickets.consume(token))) return showPage(context, downloadExpiredPage(), 404);
    try {
      const client = await accounts.get(apiKey).client();
      const download = await client.agreements.document({ id }, { signal: context.req.raw.signal });
      const { bytes, sizeBytes } = await openChecked(download, { name, signal: context.req.raw.signal });
      const { outgoing } = context.env as { outgoing?: ServerResponse };
      return new Response(
        toBodyStream(bytes, () => void outgoing?.destroy()),
        { headers: getDownloadHeaders(name, sizeBytes) },
      );
    } catch {
      // What the service said may be anybody's words, and there is nobody here to weigh them.
      await downloadTickets.release(token);
      return showPage(context, FAILED_PAGE, 502);
    }
  }
}

async function openChecked(download: Download, { name, signal }: { name: string; signal: AbortSignal }) {
  const file = await download.open({ signal });
  const { start, bytes } = await peekStart(file.bytes, SNIFF_BYTES);
  try {
    checkFileType(name, start);
  } catch (error) {
    await bytes.return(undefined);
    throw error;
  }
  return { bytes, sizeBytes: file.sizeBytes };
}

/**
 * The bytes as an answer's body. Where they break off, so does the connection: an error in the body would be written behind
 * them, as if it belonged to the file.
 */
function toBodyStream(
  bytes: AsyncGenerator<Uint8Array>,
  abortConnection: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await bytes.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        abortConnection();
        controller.close();
      }
    },
    cancel: async () => void (await bytes.return(undefined)),
  });
}

/** A person's browser that opens the address, or anything that says it only looks ahead. */
function isPreviewRequest({ headers }: Request): boolean {
  if (headers.has('sec-purpose') || headers.has('purpose') || headers.get('x-moz') === 'prefetch')
    return true;
  const mode = headers.get('sec-fetch-mode');
  return mode === 'navigate' || (mode === null && /\btext\/html\b/.test(headers.get('accept') ?? ''));
}

/** Kinds that a browser shows without running anything in them. */
const SAFE_TYPE =
  /^(application\/(pdf|msword|vnd\.[\w.-]+|zip)|image\/(png|jpeg|gif|webp)|text\/(csv|plain)|video\/[\w-]+)$/;

function getDownloadHeaders(name: string, sizeBytes: number | undefined): Record<string, string> {
  const type = getMediaTypeByName(name) ?? UNKNOWN_TYPE;
  const ascii = name.replace(/[^\w.() -]/g, '_');
  return {
    'content-type': SAFE_TYPE.test(type) ? type : UNKNOWN_TYPE,
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    ...(sizeBytes === undefined ? {} : { 'content-length': String(sizeBytes) }),
    'cache-control': 'private, no-store',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
}

function downloadPage({ name }: DownloadTicket): HtmlPage {
  return {
    title: 'Download',
    body: html`<h1>Your file is ready</h1>
<p>An app that works with your key fetched this for you: <strong dir="ltr">${quoteText(name)}</strong>.</p>
<form method="post"><div class="actions"><button class="primary">Download</button></div></form>
<p class="foot small muted">The address is good for one download, within ten minutes.</p>`,
  };
}

function downloadExpiredPage(): HtmlPage {
  return errorPage({
    title: 'This address has ended',
    message: 'It was good for one download, within ten minutes.',
    next: 'Ask the assistant for the file once more.',
  });
}

const CROSS_SITE_PAGE: HtmlPage = errorPage({
  title: 'Nothing was sent',
  message: 'This came from another website.',
  next: 'Open the address itself.',
});

const FAILED_PAGE: HtmlPage = errorPage({
  title: 'The file did not come',
  message: 'The service did not give the file just now. Nothing was downloaded.',
  next: 'Try again in a moment, or ask the assistant for the file once more.',
});
