import type { Hono } from 'hono';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { latest } from '../state/documents.ts';
import { type PageImages, sendImage } from './page-images.ts';

/** A small picture of a page, in its proportions. */
export function addThumbnails(app: Hono<Env>, input: { service: Service; images: PageImages }): void {
  app.get('/thumbnails/:document/:page{[0-9]+\\.svg}', async (context) => {
    const document = input.service.state.documents.get(context.req.param('document'));
    const number = Number.parseInt(context.req.param('page'), 10);
    const size = document && latest(document).pages[number - 1];
    if (!document || !size) return context.notFound();
    const { svg, text } = await input.images.image(latest(document), number);
    const width = Math.round((size.width / size.height) * 240);
    const scaled = svg.replace(/ width="[\d.]+" height="[\d.]+"/, ` width="${width}" height="240"`);
    return sendImage(context, { svg: scaled, text });
  });
}
