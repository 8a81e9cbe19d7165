import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { GateError, openLink, openVisit, turnToPage } from '../state/visiting.ts';
import { findPage, openBook, titleOfLink } from './book.ts';
import { cardPage, messagePage, sendPage } from './document-page.ts';
import { gatePage, hasGate } from './gate-page.ts';
import { type PageImages, sendImage } from './page-images.ts';
import { readingPage, readingPath } from './reading-page.ts';
import { createReadingTime } from './reading-time.ts';

/** The share page: a gate where the link has one, then the document page by page. */
export function addSharePages(app: Hono<Env>, input: { service: Service; images: PageImages }): void {
  const { service } = input;
  app.get('/l/:link', (context) => {
    const id = context.req.param('link');
    try {
      const link = openLink(service, id);
      if (hasGate(link)) return sendPage(context, gatePage({ title: titleOfLink(service, id), link }));
      return context.redirect(readingPath(openVisit(service, id), 1), 303);
    } catch (error) {
      return refuse(context, error);
    }
  });

  app.post('/l/:link', async (context) => {
    const id = context.req.param('link');
    const form = await context.req.parseBody();
    const text = (name: string) => (typeof form[name] === 'string' ? form[name] : undefined);
    const answers = {
      email: text('email'),
      name: text('name'),
      password: text('password'),
      ndaAccepted: form['nda'] === 'on',
    };
    try {
      return context.redirect(readingPath(openVisit(service, id, answers), 1), 303);
    } catch (error) {
      const link = service.state.links.get(id);
      if (error instanceof GateError && link && ['email', 'password', 'nda'].includes(error.reason)) {
        const title = titleOfLink(service, id);
        return sendPage(context, gatePage({ title, link, problem: error, answers }), 422);
      }
      return refuse(context, error);
    }
  });

  addReading(app, input);
}

function addReading(app: Hono<Env>, { service, images }: { service: Service; images: PageImages }): void {
  const time = createReadingTime(service);
  const visitOf = (context: Context) => service.state.visits.get(context.req.param('visit') ?? '');
  const unknown = (context: Context) =>
    sendPage(context, messagePage('Not found', 'This visit does not exist'), 404);

  app.get('/v/:visit', async (context) => {
    const visit = visitOf(context);
    if (!visit) return unknown(context);
    const book = openBook(service, visit);
    const asked = Math.floor(Number(context.req.query('page'))) || 1;
    const number = Math.min(Math.max(1, asked), Math.max(1, book.pages));
    const found = findPage(book, number);
    const image = found?.size ? await images.image(found.chapter.version, found.page) : null;
    turnToPage(service, visit, number);
    return sendPage(context, readingPage({ visit, book, number, image }));
  });

  app.get('/v/:visit/pages/:page{[0-9]+\\.svg}', async (context) => {
    const visit = visitOf(context);
    const found = visit && findPage(openBook(service, visit), Number.parseInt(context.req.param('page'), 10));
    if (!found?.size) return context.notFound();
    return sendImage(context, await images.image(found.chapter.version, found.page));
  });

  app.post('/v/:visit/time', async (context) => {
    const visit = visitOf(context);
    if (!visit) return context.body(null, 404);
    const form = await context.req.parseBody();
    const page = Number(form['page']);
    if (form['away'] !== undefined) time.away(visit);
    else if (findPage(openBook(service, visit), page)) time.reading(visit, page);
    else return context.body(null, 422);
    return context.body(null, 204);
  });

  app.post('/v/:visit/leave', (context) => {
    const visit = visitOf(context);
    if (!visit) return unknown(context);
    const page = visit.open?.page ?? 1;
    time.away(visit);
    const back = html`<p>You have closed the document.</p><p><a class="button" href="${readingPath(visit, page)}">Open it again</a></p>`;
    return sendPage(context, cardPage({ title: 'Thank you', body: back }));
  });
}

const TITLES: Partial<Record<GateError['reason'], string>> = {
  gone: 'Link not found',
  expired: 'Link expired',
  full: 'Link closed',
};

function refuse(context: Context, error: unknown): Response | Promise<Response> {
  if (!(error instanceof GateError)) throw error;
  const page = cardPage({
    title: TITLES[error.reason] ?? 'Not available',
    body: html`<p>${error.message}.</p><p class="muted">Ask the person who sent it to you for a new link.</p>`,
  });
  return sendPage(context, page, error.reason === 'gone' ? 404 : 410);
}
