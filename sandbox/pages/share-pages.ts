import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Env } from '../server/exchange.ts';
import { sendFile } from '../server/send-file.ts';
import type { LinkRecord, VisitRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { getSharedContent, type SharedContent } from '../state/shared-content.ts';
import { GateError, getGateFingerprint, getOpenLink, startVisit, turnToPage } from '../state/visiting.ts';
import { findVisitByToken, getVisitToken } from '../state/visits.ts';
import { isAutomatedRequest, isPrefetch } from './automated-request.ts';
import { hasGate, renderGatePage } from './gate-page.ts';
import { renderCardPage, renderMessagePage, sendPage } from './layout/page-layout.ts';
import { readPageForm } from './read-form.ts';
import { getReadingPath, renderReadingPage } from './reader/reading-page.ts';
import { findFile, getLinkTitle, hasPage } from './reader/shared-content.ts';
import { createReadingTracker } from './reading-time.ts';

/** Adds the share pages: a gate if the link has one, then the document page by page. */
export function addSharePages(app: Hono<Env>, service: Service): void {
  app.get('/l/:link', (context) => {
    const id = context.req.param('link');
    const link = getOpenLink(service, id);
    const title = getLinkTitle(service, id);
    const isAutomated = isAutomatedRequest(context);
    // `as=new` lets a visitor enter another email address.
    const isNew = context.req.query('as') === 'new';
    const existingVisit = isAutomated || isNew ? undefined : getBrowserVisit(context, service, link);
    if (existingVisit) return context.redirect(getReadingPath(existingVisit, 1), 303);
    if (hasGate(link)) return sendPage(context, renderGatePage({ title, link }));
    if (!isAutomated) return redirectToReading(context, startVisit(service, id));
    // Too Early: the browser discards the prefetch and requests again when the user opens the link.
    const status = isPrefetch(context) ? 425 : 200;
    return sendPage(context, renderMessagePage(title, 'Open this link to view the document'), status);
  });

  app.post('/l/:link', async (context) => {
    const id = context.req.param('link');
    const form = await readPageForm(context);
    const gateInput = {
      email: form.get('email'),
      name: form.get('name'),
      password: form.get('password'),
      ndaAccepted: form.get('nda') === 'on',
    };
    try {
      const link = getOpenLink(service, id);
      const existingVisit = getBrowserVisit(context, service, link);
      const isSameVisitor = existingVisit && existingVisit.email === (gateInput.email?.trim() || null);
      return redirectToReading(context, isSameVisitor ? existingVisit : startVisit(service, id, gateInput));
    } catch (error) {
      const link = service.state.links.get(id);
      const isCorrectable = error instanceof GateError && ['email', 'password', 'nda'].includes(error.reason);
      if (!isCorrectable || !link) throw error;
      return sendPage(context, renderGatePage({ title: getLinkTitle(service, id), link, error, gateInput }), 422);
    }
  });

  addReadingRoutes(app, service);
}

/** Identifies a returning visitor. */
const VISIT_COOKIE = 'visit';
const MONTH_SECONDS = 30 * 86_400;

function redirectToReading(context: Context, visit: VisitRecord): Response {
  const path = `/l/${encodeURIComponent(visit.link_id)}`;
  const cookieOptions = { path, httpOnly: true, sameSite: 'Lax', maxAge: MONTH_SECONDS } as const;
  setCookie(context, VISIT_COOKIE, getVisitToken(visit), cookieOptions);
  return context.redirect(getReadingPath(visit, 1), 303);
}

/** Returns the visit that this browser started, unless the link's requirements have changed. */
function getBrowserVisit(context: Context, service: Service, link: LinkRecord): VisitRecord | undefined {
  const visit = findVisitByToken(service.state, getCookie(context, VISIT_COOKIE) ?? '');
  return visit?.link_id === link.id && visit.gate === getGateFingerprint(link) ? visit : undefined;
}

/** Explains why there is nothing to read. */
function sendEmptyPage(
  context: Context,
  service: Service,
  { visit, content }: { visit: VisitRecord; content: SharedContent },
): Promise<Response> {
  const { title, isRoom, isDenied } = content;
  if (!isRoom)
    return sendPage(context, renderMessagePage('Document deleted', 'The sender has deleted this document'), 404);
  if (!isDenied) return sendPage(context, renderMessagePage(title, 'This room has no files yet'));
  const asksForEmail = service.state.links.get(visit.link_id)?.email_required;
  const who = visit.email === null ? 'This link' : html`<strong><bdi>${visit.email}</bdi></strong>`;
  const body = html`<p>${who} has no access to the files in this room. Ask the sender for access.</p>
${asksForEmail ? html`<p><a class="button" href="/l/${encodeURIComponent(visit.link_id)}?as=new">Use another email address</a></p>` : ''}`;
  return sendPage(context, renderCardPage({ title: 'No access', eyebrow: title, body }), 403);
}

function addReadingRoutes(app: Hono<Env>, service: Service): void {
  const tracker = createReadingTracker(service);
  /** `addGuards` has admitted the visit before. */
  const getVisit = (context: Context): VisitRecord => {
    const visit = findVisitByToken(service.state, context.req.param('visit') ?? '');
    if (!visit) throw new Error('The visit was not checked by a guard');
    return visit;
  };

  app.get('/v/:visit', (context) => {
    const visit = getVisit(context);
    const content = getSharedContent(service, visit);
    if (content.sections.length === 0) return sendEmptyPage(context, service, { visit, content });
    const requested = Number(context.req.query('page'));
    const number = hasPage(content, requested) ? requested : requested > content.pages ? Math.max(1, content.pages) : 1;
    if (!isAutomatedRequest(context)) turnToPage(service, visit, number);
    return sendPage(context, renderReadingPage({ visit, content, number }));
  });

  app.get('/v/:visit/files/:document', async (context) => {
    const visit = getVisit(context);
    const content = getSharedContent(service, visit);
    const requested = { document: context.req.param('document'), version: Number(context.req.query('version')) };
    const file = findFile(content, requested);
    if (!file) return context.text('This file was deleted.', 404);
    const download = context.req.query('download') !== undefined;
    if (download && !content.mayDownload) return context.text('Downloads are disabled for this link', 403);
    return sendFile(context, { service, ...file, download });
  });

  app.post('/v/:visit/time', async (context) => {
    const visit = getVisit(context);
    const form = await readPageForm(context);
    const page = Number(form.get('page'));
    if (form.has('away')) tracker.recordAway(visit);
    else if (hasPage(getSharedContent(service, visit), page)) tracker.recordReading(visit, page);
    else return context.body(null, 422);
    return context.body(null, 204);
  });

  app.post('/v/:visit/leave', (context) => {
    const visit = getVisit(context);
    const page = visit.open?.page ?? 1;
    tracker.recordAway(visit);
    const body = html`<p>You closed the document.</p><p><a class="button" href="${getReadingPath(visit, page)}">Open it again</a></p>`;
    return sendPage(context, renderCardPage({ title: 'Thank you', body }));
  });
}
