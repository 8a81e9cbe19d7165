import type { Hono } from 'hono';
import { STYLESHEET } from './stylesheet.ts';

/** Serves the stylesheet of all pages. */
export function addStylesheet(app: Hono): void {
  app.get('/pages.css', (context) =>
    context.body(STYLESHEET, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    }),
  );
}
