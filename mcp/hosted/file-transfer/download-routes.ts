import type { ServerResponse } from 'node:http';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Download } from '../../../src/index.ts';
import { getMediaTypeByName, SNIFF_BYTES, UNKNOWN_TYPE } from '../../../src/media-type.ts';
import type { Accounts } from '../../account/account.ts';
import { checkFileType } from '../../files/check-file-type.ts';
import { isSameOriginForm } from '../../pages/browser-session.ts';
import { CROSS_SITE_PAGE, renderLinkExpiredPage } from '../../pages/form-parts.ts';
import { FORM_SCRIPT } from '../../pages/form-script.ts';
import { type HtmlPage, renderErrorPage, sendPage } from '../../pages/layout.ts';
import { quoteForPage } from '../../result/quote.ts';
import type { DownloadTicket, DownloadTickets } from './download-tickets.ts';
import { peekStart } from './upload-stream.ts';

interface DownloadRoutesOptions {
  readonly downloadTickets: DownloadTickets;
  readonly accounts: Pick<Accounts, 'get'>;
  readonly publicUrl: string;
  readonly isRevoked: (grant: string, apiKey: string) => Promise<boolean>;
}

/**
 * Serves an agreement's file at `/:token`, once. Programs get it at once; browsers get a button first,
 * because chats and browsers prefetch links.
 */
export function createDownloadRoutes(deps: DownloadRoutesOptions): Hono {
  const { downloadTickets, accounts, publicUrl } = deps;
  const app = new Hono();

  app.get('/:token', async (context) => {
    const found = await find(context);
    if (!found) return sendPage(context, LINK_EXPIRED_PAGE, 404);
    if (context.req.method === 'HEAD' || isPreviewRequest(context.req.raw))
      return sendPage(context, renderDownloadPage(found));
    return send(context, found);
  });
  app.post('/:token', async (context) => {
    if (!isSameOriginForm(context.req.raw, publicUrl)) return sendPage(context, CROSS_SITE_PAGE, 403);
    const found = await find(context);
    return found ? send(context, found) : sendPage(context, LINK_EXPIRED_PAGE, 404);
  });
  return app;

  async function find(context: Context): Promise<DownloadTicket | undefined> {
    const found = await downloadTickets.find(context.req.param('token') ?? '');
    return found && !(await deps.isRevoked(found.grant, found.apiKey)) ? found : undefined;
  }

  async function send(context: Context, { apiKey, id, name }: DownloadTicket): Promise<Response> {
    const token = context.req.param('token') ?? '';
    if (!(await downloadTickets.consume(token))) return sendPage(context, LINK_EXPIRED_PAGE, 404);
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
      // The service's message is untrusted text, so it is not shown.
      await downloadTickets.release(token);
      return sendPage(context, FAILED_PAGE, 502);
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
 * Converts bytes to a response body. On an error, it aborts the connection: an error message in the body
 * would look like part of the file.
 */
function toBodyStream(bytes: AsyncGenerator<Uint8Array>, abortConnection: () => void): ReadableStream<Uint8Array> {
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

/** Returns whether a browser navigates to the link, or a client only prefetches it. */
function isPreviewRequest({ headers }: Request): boolean {
  if (headers.has('sec-purpose') || headers.has('purpose') || headers.get('x-moz') === 'prefetch') return true;
  const mode = headers.get('sec-fetch-mode');
  return mode === 'navigate' || (mode === null && /\btext\/html\b/.test(headers.get('accept') ?? ''));
}

/** Types that browsers open without running anything in them. */
const SAFE_TYPE =
  /^(application\/(pdf|msword|vnd\.[\w.-]+|zip)|image\/(png|jpeg|gif|webp)|text\/(csv|plain)|video\/[\w-]+)$/;

function getDownloadHeaders(name: string, sizeBytes: number | undefined): Record<string, string> {
  const type = getMediaTypeByName(name) ?? UNKNOWN_TYPE;
  const ascii = name.replace(/[^\w.() -]/g, '_');
  return {
    'content-type': SAFE_TYPE.test(type) ? type : UNKNOWN_TYPE,
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    ...(sizeBytes === undefined ? {} : { 'content-length': String(sizeBytes) }),
    'cache-control': 'private, no-store',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
}

function renderDownloadPage({ workspace, name }: DownloadTicket): HtmlPage {
  return {
    title: 'Download',
    script: FORM_SCRIPT,
    body: html`<h1>Your file is ready</h1>
<p>An app that uses your API key requested this file${workspace === undefined ? '' : html` of the workspace <strong>${workspace}</strong>`}: <strong dir="ltr">${quoteForPage(name)}</strong>.</p>
<form method="post" data-download><div class="actions"><button class="primary">Download</button></div></form>
<p class="foot small muted">This link works once and expires after 10 minutes.</p>`,
  };
}

const LINK_EXPIRED_PAGE = renderLinkExpiredPage('Ask the assistant for the file again.');

const FAILED_PAGE = renderErrorPage({
  title: 'Download failed',
  message: 'Docshare did not return the file. Nothing was downloaded.',
  next: 'Try again in a moment, or ask the assistant for the file again.',
});
