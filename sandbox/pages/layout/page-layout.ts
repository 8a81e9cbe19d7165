import type { Context } from 'hono';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { stripDeceptiveChars } from '../../base/strip-deceptive-chars.ts';
import { WORKSPACE_OWNER } from '../../base/workspace-owner.ts';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Only the sandbox's own scripts and styles run, so names that contain markup are harmless. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a page with its security headers. */
export async function sendPage(
  context: Context,
  page: Markup,
  status: 200 | 400 | 403 | 404 | 409 | 410 | 422 | 425 = 200,
): Promise<Response> {
  context.header('content-security-policy', CONTENT_SECURITY_POLICY);
  context.header('x-content-type-options', 'nosniff');
  // Not `no-referrer`: browsers would then omit the origin of form POSTs, which control routes check.
  context.header('referrer-policy', 'same-origin');
  context.header('cache-control', 'no-store');
  return context.html(stripDeceptiveChars(String(await page)), status);
}

/** The layout of every page. `script` is a file under `/assets/`; recipients' pages also have `forms.js`. */
export function renderPageLayout(input: {
  title: string;
  body: Markup;
  script?: 'console.js' | 'reader.js' | 'signing.js';
  layout?: 'card' | 'reader' | 'sign' | 'console';
}): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${input.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/pages.css">
${input.layout === 'console' ? '' : html`<script src="/assets/forms.js" defer></script>`}
${input.script ? html`<script src="/assets/${input.script}" defer></script>` : ''}
</head>
<body class="${input.layout ?? 'card'}">${input.body}</body>
</html>`;
}

export function renderMessagePage(title: string, message: string): Markup {
  return renderCardPage({ title, body: html`<p>${message}.</p>` });
}

/** A page with one centered card: gates, messages and confirmations. */
export function renderCardPage(input: { title: string; eyebrow?: string; wide?: boolean; body: Markup }): Markup {
  return renderPageLayout({
    title: input.title,
    body: html`${renderBrandBar({})}
<main${input.wide ? html` class="wide"` : ''}>
${input.eyebrow ? html`<p class="eyebrow">${input.eyebrow}</p>` : ''}
<h1>${input.title}</h1>
${input.body}
</main>
${renderFooter()}`,
  });
}

/** The header of every page that a recipient sees. */
export function renderBrandBar(input: { title?: string; tools?: Markup | string }): Markup {
  return html`<header class="bar"><span class="brand">${WORKSPACE_OWNER.name}</span>${input.title ? html`<h1 title="${input.title}">${input.title}</h1>` : ''}${input.tools ?? ''}</header>`;
}

export function renderFooter(): Markup {
  return html`<footer>Docshare sandbox: everything here is made up and stays on this machine.</footer>`;
}

/** A time by the service's clock; scripts show it in the reader's time zone. */
export function renderTime(at: number): Markup {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Returns `1 page` or `3 pages`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats seconds as `8 s`, `2 min 5 s` or `1 h 4 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
