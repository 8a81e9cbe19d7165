import { html } from 'hono/html';
import type { PageImage } from '../pdf/paint-page.ts';
import type { VisitRecord } from '../state/records.ts';
import { type Book, type Chapter, findPage } from './book.ts';
import { documentPage, footer, type Markup } from './document-page.ts';

export function readingPath(visit: Pick<VisitRecord, 'id'>, page: number): string {
  return `/v/${encodeURIComponent(visit.id)}?page=${page}`;
}

/** One page of what a visitor reads, with the ways to the others. */
export function readingPage(input: {
  visit: VisitRecord;
  book: Book;
  number: number;
  image: PageImage | null;
}): Markup {
  const { visit, book, number } = input;
  const found = findPage(book, number);
  const last = Math.max(1, book.pages);
  return documentPage({
    title: book.title,
    layout: 'reader',
    script: 'reader.js',
    body: html`<header class="bar">
<h1>${book.title}</h1>
<form method="post" action="/v/${encodeURIComponent(visit.id)}/leave"><button>Close</button></form>
</header>
<div id="reader" data-visit="${visit.id}" data-page="${number}" data-pages="${last}">
<main>
${found ? sheet({ ...input, ...found }) : html`<p class="empty">There is nothing here to read yet.</p>`}
</main>
<nav class="pager" aria-label="Pages">
${turn({ visit, to: number - 1, last, rel: 'prev', label: 'Previous' })}
<div class="place"><label for="jump" class="hidden">Page</label><progress id="jump" value="${number}" max="${last}"></progress>
<span>Page ${number} of ${last}</span></div>
${turn({ visit, to: number + 1, last, rel: 'next', label: 'Next' })}
</nav>
${book.chapters.length > 1 ? contents(visit, book, number) : ''}
${found ? html`<p class="download"><a href="${found.chapter.downloadUrl}" download>Download ${found.chapter.title}</a></p>` : ''}
</div>
<p id="announce" class="hidden" role="status"></p>
${footer()}`,
  });
}

function sheet(input: {
  visit: VisitRecord;
  number: number;
  image: PageImage | null;
  chapter: Chapter;
  size: { width: number; height: number } | undefined;
}): Markup {
  const { visit, number, image, chapter, size } = input;
  if (!size || !image)
    return html`<div class="sheet empty"><p><strong>${chapter.title}</strong></p><p>This file can't be shown page by page. Download it to read it.</p></div>`;
  const words = image.text.length > 600 ? `${image.text.slice(0, 600)}…` : image.text;
  return html`<img class="sheet" width="${size.width}" height="${size.height}" src="/v/${encodeURIComponent(visit.id)}/pages/${number}.svg" alt="Page ${number}${words ? `: ${words}` : ''}">`;
}

function turn(input: {
  visit: VisitRecord;
  to: number;
  last: number;
  rel: 'prev' | 'next';
  label: string;
}): Markup {
  const { visit, to, last, rel, label } = input;
  if (to < 1 || to > last)
    return html`<a id="${rel}" role="link" aria-disabled="true" class="button">${label}</a>`;
  return html`<a id="${rel}" rel="${rel}" class="button" href="${readingPath(visit, to)}">${label}</a>`;
}

function contents(visit: VisitRecord, book: Book, number: number): Markup {
  return html`<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">In this room</h2><ol>
${book.chapters.map(({ title, firstPage, pages }) => {
  const here = number >= firstPage && number < firstPage + pages;
  return html`<li><a href="${readingPath(visit, firstPage)}" ${here ? html`aria-current="true"` : ''}>${title}</a> <span class="muted">${pages === 1 ? '1 page' : `${pages} pages`}</span></li>`;
})}
</ol></nav>`;
}
