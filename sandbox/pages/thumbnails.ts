import type { Hono } from 'hono';
import type { Env } from '../server/exchange.ts';
import type { Service } from '../state/service.ts';
import { getLatestVersion } from '../state/state.ts';

const HEIGHT = 240;
const POLICY = "default-src 'none'; sandbox";

/**
 * Serves a placeholder per page, with its proportions and number. It contains no content, because its URL is public.
 */
export function addThumbnails(app: Hono<Env>, service: Service): void {
  app.get('/thumbnails/:document/:page{[0-9]+\\.svg}', (context) => {
    const document = service.state.documents.get(context.req.param('document'));
    const number = Number.parseInt(context.req.param('page'), 10);
    const pages = document ? getLatestVersion(document).pages : [];
    const size = pages[number - 1];
    if (!size) return context.notFound();
    const width = Math.max(1, Math.round((size.width / size.height) * HEIGHT));
    const label = `Page ${number} of ${pages.length}, ${size.width} x ${size.height} points`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${width}" height="${HEIGHT}" role="img">
<title>${label}</title><rect width="100%" height="100%" fill="#fff" stroke="#8b94a5" stroke-width="${size.height / HEIGHT}"/>
<text x="50%" y="50%" font-family="Helvetica, Arial, sans-serif" font-size="${Math.min(size.width, size.height) / 4}"
 text-anchor="middle" dominant-baseline="central" fill="#545f73">${number}</text></svg>`;
    return context.body(svg, 200, {
      'content-type': 'image/svg+xml',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=60',
    });
  });
}
