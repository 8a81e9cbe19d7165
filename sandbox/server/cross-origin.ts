import type { Hono } from 'hono';
import type { Env } from './exchange.ts';
import { isLoopbackHost } from './same-site.ts';

/**
 * Allows browsers to call the API and storage from local pages and the given origins. Requests still need a
 * key, and the control routes stay closed.
 */
export function addCors(app: Hono<Env>, paths: readonly string[], origins: readonly string[]): void {
  const isAllowed = (origin: string) =>
    origins.includes('*') || origins.includes(origin) || isLoopbackHost(origin.replace(/^https?:\/\//i, ''));
  for (const path of paths)
    app.use(path, async (context, next) => {
      const { outgoing, incoming } = context.env;
      const { origin } = incoming.headers;
      if (origin === undefined || !isAllowed(origin)) return next();
      outgoing.setHeader('access-control-allow-origin', origin);
      outgoing.setHeader('access-control-expose-headers', '*');
      outgoing.setHeader('vary', 'origin');
      const method = incoming.headers['access-control-request-method'];
      if (context.req.method !== 'OPTIONS' || method === undefined) return next();
      return context.body(null, 204, {
        'access-control-allow-methods': method,
        'access-control-allow-headers': context.req.header('access-control-request-headers') ?? '*',
        'access-control-max-age': '600',
      });
    });
}

/** Normalizes an origin. @throws Error for one that no browser sends, such as one with a path or a wildcard */
export function parseOrigin(text: string): string {
  if (text === '*' || text === 'null') return text;
  // App schemes such as `tauri://localhost` have origins that only their own browser defines.
  const isValid = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*,]+\/?$/i.test(text) && URL.canParse(text);
  if (!isValid)
    throw new RangeError(
      `"${text.slice(0, 100)}" is not the origin of a website: use one like https://app.example.com, or * for all`,
    );
  return /^https?:/i.test(text) ? new URL(text).origin : text;
}
