import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The frame of every page for people. */
export function documentPage(input: { title: string; body: Markup }): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${input.title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #1b2333; }
label, input, button { display: block; margin: .5rem 0; font: inherit; }
input { padding: .5rem; width: 100%; max-width: 22rem; box-sizing: border-box; }
button { padding: .5rem 1rem; }
</style>
</head>
<body>${input.body}</body>
</html>`;
}

export function messagePage(title: string, message: string): Markup {
  return documentPage({ title, body: html`<main><h1>${title}</h1><p>${message}</p></main>` });
}
