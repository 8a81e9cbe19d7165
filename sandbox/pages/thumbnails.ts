import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { latest } from '../state/documents.ts';

/** A small drawing of a page, in its proportions. */
export function addThumbnails(app: Hono<Env>, service: Service): void {
  app.get('/thumbnails/:document/:page{[0-9]+\\.svg}', async (context) => {
    const document = service.state.documents.get(context.req.param('document'));
    const number = Number.parseInt(context.req.param('page'), 10);
    const size = document && latest(document).pages[number - 1];
    if (!document || !size) return context.notFound();
    const { width, height } = size;
    const svg =
      await html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${Math.round((width / height) * 240)}" height="240" role="img" aria-label="${document.name}, page ${number}"><rect width="${width}" height="${height}" fill="#fff" stroke="#c5cbd8" stroke-width="4"/><text x="${width / 2}" y="${height / 2}" font-family="sans-serif" font-size="${width / 6}" text-anchor="middle" fill="#5a6478">${number}</text></svg>`;
    return context.body(svg.toString(), 200, { 'content-type': 'image/svg+xml' });
  });
}
