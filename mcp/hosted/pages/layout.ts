import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { version } from '../../../src/version.ts';
import { icons } from '../../resources/icons.ts';

/** Text that is safe to stand in a page: made by `html`, which escapes whatever is put into it. */
export type Html = ReturnType<typeof html>;

export interface HtmlPage {
  readonly title: string;
  readonly body: Html | readonly Html[];
  /** An address that the browser goes on to by itself. */
  readonly redirectUrl?: string;
  readonly wide?: boolean;
  /** Runs when the page is there; whatever it does must also work without it. */
  readonly script?: string;
}

/**
 * Answers with a page: no script but its own, nothing from elsewhere, in no frame, kept by nobody.
 *
 * A form's answer never redirects to another site: browsers hold `form-action` against every hop that follows, and a
 * host's own callback may hop to a scheme of its program. `redirectUrl` leads there instead.
 */
export async function showPage(
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
<header><a class="brand" href="/"><img src="${raw(icons[0]?.src ?? '')}" alt="" width="24" height="24">Docshare</a></header>
<main class="${wide ? 'wide' : ''}">
${body}
</main>
${script === undefined ? '' : raw(`<script>${script}</script>`)}
</body>
</html>
`;
  return context.html(await text, status, {
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src data:; ${scriptPolicy(script)}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // Not `no-referrer`: forms would come with the origin `null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
}

/** Exactly this script, and this server alone to speak to. */
function scriptPolicy(script: string | undefined): string {
  if (script === undefined) return '';
  return `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; connect-src 'self'; `;
}

/** A page that says what went wrong and what to do now. */
export function errorPage({
  title,
  message,
  next,
}: {
  title: string;
  message: string;
  next: Html | string;
}): HtmlPage {
  return { title, body: html`<h1>${title}</h1><p role="alert">${message}</p><p class="muted">${next}</p>` };
}
