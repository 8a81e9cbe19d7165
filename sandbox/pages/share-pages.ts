import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { latest } from '../state/documents.ts';
import type { LinkRecord, VisitRecord } from '../state/records.ts';
import { GateError, leaveVisit, openLink, openVisit, turnToPage } from '../state/visiting.ts';
import { createDownloadAddress } from '../storage/addresses.ts';
import { documentPage, messagePage } from './document-page.ts';

/** The share page: a gate where the link has one, then the document page by page. */
export function addSharePages(app: Hono<Env>, service: Service): void {
  app.get('/l/:link', (context) => {
    try {
      const link = openLink(service, context.req.param('link'));
      if (hasGate(link)) return context.html(gatePage(service, link, null));
      const visit = openVisit(service, link.id);
      return context.redirect(readingPath(visit, 1), 303);
    } catch (error) {
      return refuse(context, error);
    }
  });

  app.post('/l/:link', async (context) => {
    const form = await context.req.parseBody();
    const text = (name: string) => (typeof form[name] === 'string' ? form[name] : undefined);
    try {
      const visit = openVisit(service, context.req.param('link'), {
        email: text('email'),
        name: text('name'),
        password: text('password'),
        ndaAccepted: form['nda'] === 'on',
      });
      return context.redirect(readingPath(visit, 1), 303);
    } catch (error) {
      const link = service.state.links.get(context.req.param('link'));
      if (error instanceof GateError && link && !['gone', 'expired', 'full'].includes(error.reason))
        return context.html(gatePage(service, link, error.message), 422);
      return refuse(context, error);
    }
  });

  app.get('/v/:visit', (context) => {
    const visit = service.state.visits.get(context.req.param('visit'));
    if (!visit) return context.html(messagePage('Not found', 'This visit does not exist'), 404);
    const page = Math.max(1, Number(context.req.query('page')) || 1);
    turnToPage(service, visit, visit.page_count > 0 ? Math.min(page, visit.page_count) : page);
    return context.html(readingPage(service, visit));
  });

  app.post('/v/:visit/leave', (context) => {
    const visit = service.state.visits.get(context.req.param('visit'));
    if (visit) leaveVisit(service, visit);
    return context.html(messagePage('Thank you', 'You have left the document.'));
  });
}

function hasGate(link: LinkRecord): boolean {
  return link.email_required || link.password !== null || link.nda_required;
}

function readingPath(visit: VisitRecord, page: number): string {
  return `/v/${encodeURIComponent(visit.id)}?page=${page}`;
}

function refuse(context: Context, error: unknown): Response | Promise<Response> {
  if (!(error instanceof GateError)) throw error;
  return context.html(messagePage('Not available', error.message), error.reason === 'gone' ? 404 : 410);
}

function titleOf(service: Service, documentId: string | null): string {
  const document = documentId === null ? undefined : service.state.documents.get(documentId);
  return document?.name ?? 'Shared document';
}

function gatePage(service: Service, link: LinkRecord, problem: string | null) {
  const title = titleOf(service, link.document_id);
  return documentPage({
    title,
    body: html`<main><h1>${title}</h1>
${problem ? html`<p role="alert">${problem}</p>` : ''}
<form method="post">
${link.email_required ? html`<label>Your e-mail address<input type="email" name="email" autocomplete="email" required></label>` : ''}
${link.password === null ? '' : html`<label>Password<input type="password" name="password" required></label>`}
${link.nda_required ? html`<label><input type="checkbox" name="nda" required> I accept the non-disclosure agreement</label>` : ''}
<button>View document</button>
</form></main>`,
  });
}

function readingPage(service: Service, visit: VisitRecord) {
  const document = visit.document_id === null ? undefined : service.state.documents.get(visit.document_id);
  const title = document?.name ?? 'Shared document';
  const page = visit.open?.page ?? 1;
  const file =
    document && createDownloadAddress(service, { version: latest(document), name: document.file_name });
  return documentPage({
    title,
    body: html`<main><h1>${title}</h1>
<p>Page ${page} of ${visit.page_count || 1}</p>
${file ? html`<p><a href="${file.url}">Download</a></p>` : ''}
${page > 1 ? html`<p><a rel="prev" href="${readingPath(visit, page - 1)}">Previous page</a></p>` : ''}
${page < visit.page_count ? html`<p><a rel="next" href="${readingPath(visit, page + 1)}">Next page</a></p>` : ''}
<form method="post" action="/v/${encodeURIComponent(visit.id)}/leave"><button>Close document</button></form></main>`,
  });
}
