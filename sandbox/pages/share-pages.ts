import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { countWrongGuess, waitForGuess } from '../state/attempts.ts';
import type { LinkRecord, VisitRecord } from '../state/records.ts';
import { GateError, getGateKey, openLink, openVisit, turnToPage } from '../state/visiting.ts';
import { nameOfVisit, visitNamed } from '../state/visits.ts';
import { sendFile } from '../storage/send-file.ts';
import { findFile, hasPage, openBook, titleOfLink } from './book.ts';
import { cardPage, formatCount, messagePage, sendPage } from './document-page.ts';
import { gatePage, hasGate } from './gate-page.ts';
import { refuseVisitor } from './guard.ts';
import { isPrefetch, isQuiet } from './quiet.ts';
import { readPageForm } from './read-form.ts';
import { readingPage, readingPath } from './reader/reading-page.ts';
import { createReadingTime } from './reading-time.ts';

/** The share page: a gate where the link has one, then the document page by page. */
export function addSharePages(app: Hono<Env>, service: Service): void {
  app.get('/l/:link', (context) => {
    const id = context.req.param('link');
    try {
      const link = openLink(service, id);
      const title = titleOfLink(service, id);
      const again = isQuiet(context) ? undefined : visitOfBrowser(context, service, link);
      if (again) return context.redirect(readingPath(again, 1), 303);
      if (hasGate(link)) return sendPage(context, gatePage({ title, link }));
      // Too early: the browser throws away what it fetched ahead, and asks again when someone opens the link.
      if (isQuiet(context))
        return sendPage(
          context,
          messagePage(title, 'Open this link to read'),
          isPrefetch(context) ? 425 : 200,
        );
      return letIn(context, openVisit(service, id));
    } catch (error) {
      return refuseVisitor(context, error);
    }
  });

  app.post('/l/:link', async (context) => {
    const id = context.req.param('link');
    const form = await readPageForm(context);
    const answers = {
      email: form.get('email'),
      name: form.get('name'),
      password: form.get('password'),
      ndaAccepted: form.get('nda') === 'on',
    };
    const address = context.env.incoming.socket.remoteAddress ?? '';
    try {
      const link = openLink(service, id);
      const wait = link.password === null ? 0 : waitForGuess(service, id, address);
      if (wait > 0) return tooManyGuesses(context, wait);
      const again = visitOfBrowser(context, service, link);
      const isSame = again && again.email === (answers.email?.trim() || null);
      return letIn(context, isSame ? again : openVisit(service, id, answers));
    } catch (error) {
      if (error instanceof GateError && error.reason === 'password') countWrongGuess(service, id, address);
      const link = service.state.links.get(id);
      if (error instanceof GateError && link && ['email', 'password', 'nda'].includes(error.reason)) {
        const title = titleOfLink(service, id);
        return sendPage(context, gatePage({ title, link, problem: error, answers }), 422);
      }
      return refuseVisitor(context, error);
    }
  });

  addReading(app, service);
}

/** So that the same browser is the same visitor when it comes again. */
const VISIT_COOKIE = 'visit';
const MONTH_SECONDS = 30 * 86_400;

function letIn(context: Context, visit: VisitRecord): Response {
  const path = `/l/${encodeURIComponent(visit.link_id)}`;
  const rules = { path, httpOnly: true, sameSite: 'Lax', maxAge: MONTH_SECONDS } as const;
  setCookie(context, VISIT_COOKIE, nameOfVisit(visit), rules);
  return context.redirect(readingPath(visit, 1), 303);
}

/** The visit that this browser began through this link, unless the link asks for something else by now. */
function visitOfBrowser(context: Context, service: Service, link: LinkRecord): VisitRecord | undefined {
  const visit = visitNamed(service.state, getCookie(context, VISIT_COOKIE) ?? '');
  return visit?.link_id === link.id && visit.gate === getGateKey(link) ? visit : undefined;
}

function tooManyGuesses(context: Context, waitMs: number): Promise<Response> {
  context.header('retry-after', String(Math.ceil(waitMs / 1000)));
  const minutes = formatCount(Math.ceil(waitMs / 60_000), 'minute');
  const page = messagePage('Too many wrong passwords', `Wait ${minutes}, then try again`);
  return sendPage(context, page, 429);
}

function addReading(app: Hono<Env>, service: Service): void {
  const time = createReadingTime(service);
  const getVisit = (context: Context) => visitNamed(service.state, context.req.param('visit') ?? '');
  const unknown = (context: Context) =>
    sendPage(context, messagePage('Not found', 'This visit does not exist'), 404);

  app.get('/v/:visit', (context) => {
    const visit = getVisit(context);
    if (!visit) return unknown(context);
    const book = openBook(service, visit);
    const asked = Number(context.req.query('page'));
    const number = hasPage(book, asked) ? asked : asked > book.pages ? Math.max(1, book.pages) : 1;
    if (!isQuiet(context)) turnToPage(service, visit, number);
    return sendPage(context, readingPage({ visit, book, number }));
  });

  app.get('/v/:visit/files/:document', async (context) => {
    const visit = getVisit(context);
    if (!visit) return context.text('this visit has ended', 404);
    const book = openBook(service, visit);
    const asked = { document: context.req.param('document'), version: Number(context.req.query('version')) };
    const file = findFile(book, asked);
    if (!file) return context.text('it is no longer there', 404);
    const download = context.req.query('download') !== undefined;
    if (download && !book.mayDownload) return context.text('This link offers no download', 403);
    return sendFile(context, { service, ...file, download });
  });

  app.post('/v/:visit/time', async (context) => {
    const visit = getVisit(context);
    if (!visit) return context.body(null, 404);
    const form = await readPageForm(context);
    const page = Number(form.get('page'));
    if (form.has('away')) time.away(visit);
    else if (hasPage(openBook(service, visit), page)) time.reading(visit, page);
    else return context.body(null, 422);
    return context.body(null, 204);
  });

  app.post('/v/:visit/leave', (context) => {
    const visit = getVisit(context);
    if (!visit) return unknown(context);
    const page = visit.open?.page ?? 1;
    time.away(visit);
    const back = html`<p>You have closed the document.</p><p><a class="button" href="${readingPath(visit, page)}">Open it again</a></p>`;
    return sendPage(context, cardPage({ title: 'Thank you', body: back }));
  });
}
