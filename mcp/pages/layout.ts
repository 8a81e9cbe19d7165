import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { version } from '../../src/version.ts';
import { icons } from '../resources/icons.ts';

/** Escaped HTML, made by the `html` template tag. */
export type Html = ReturnType<typeof html>;

export interface HtmlPage {
  readonly title: string;
  readonly body: Html | readonly Html[];
  /** URL to redirect to automatically. */
  readonly redirectUrl?: string;
  readonly wide?: boolean;
  /** Inline script; the page must also work without it. */
  readonly script?: string;
}

/**
 * Responds with a page that loads nothing from elsewhere, can't be framed and is never cached.
 * A form's response never redirects to another site: browsers apply `form-action` to every following hop, and
 * a host's callback may redirect to a custom scheme. Use `redirectUrl` instead.
 */
export async function sendPage(
  context: Context,
  page: HtmlPage,
  status: 200 | 400 | 403 | 404 | 413 | 422 | 429 | 502 | 503 = 200,
): Promise<Response> {
  const { title, body, redirectUrl, wide = false, script } = page;
  const refresh =
    redirectUrl === undefined ? '' : html`<meta http-equiv="refresh" content="${`0; url=${redirectUrl}`}">`;
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refresh}
<title>${title} · Docshare</title>
<link rel="icon" href="${raw(icons[0]?.src ?? '')}">
<link rel="stylesheet" href="/pages.css?${version}">
</head>
<body>
<header><span class="brand"><img src="${raw(icons[0]?.src ?? '')}" alt="" width="24" height="24">Docshare</span></header>
<main class="${wide ? 'wide' : ''}">
${body}
</main>
${script === undefined ? '' : raw(`<script>${script}</script>`)}
</body>
</html>
`;
  return context.html(await text, status, {
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src data:; ${createScriptPolicy(script)}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // Not `no-referrer`, which makes forms send `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
}

/** Allows exactly this script, and requests to this server only. */
function createScriptPolicy(script: string | undefined): string {
  if (script === undefined) return '';
  return `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; connect-src 'self'; `;
}

export function renderErrorPage({
  title,
  message,
  next,
}: {
  title: string;
  message: string;
  next?: Html | string;
}): HtmlPage {
  const advice = next === undefined ? '' : html`<p class="muted">${next}</p>`;
  return { title, body: html`<h1>${title}</h1><p role="alert">${message}</p>${advice}` };
}

/** @param next where the person can go instead. */
export function renderNotFoundPage(next: Html | string): HtmlPage {
  return renderErrorPage({ title: 'Page not found', message: 'There is no page at this address.', next });
}
