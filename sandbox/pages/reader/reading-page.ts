import { html } from 'hono/html';
import type { VisitRecord } from '../../state/records.ts';
import { nameOfVisit } from '../../state/visits.ts';
import type { Book, Chapter } from '../book.ts';
import { brandBar, documentPage, formatCount, type Markup } from '../document-page.ts';
import type { ReadChapter } from './reader-script.ts';

export function readingPath(visit: VisitRecord, page: number): string {
  return `/v/${encodeURIComponent(nameOfVisit(visit))}?page=${page}`;
}

/** Where the bytes of a chapter are, for who may read it. */
function filePath(visit: VisitRecord, { document, version }: Chapter): string {
  return `/v/${encodeURIComponent(nameOfVisit(visit))}/files/${encodeURIComponent(document.id)}?version=${version.version}`;
}

/** What a visitor reads, one page at a time: the frame, into which the script paints. */
export function readingPage(input: { visit: VisitRecord; book: Book; number: number }): Markup {
  const { visit, book, number } = input;
  const last = Math.max(1, book.pages);
  const panel = book.chapters.length > 1 ? 'Files and pages' : 'Page thumbnails';
  const chapters = book.chapters.map((chapter): ReadChapter => {
    const { title, firstPage, pages, version } = chapter;
    const url = filePath(visit, chapter);
    const isPdf = version.content_type === 'application/pdf';
    return { title, firstPage, pages, url, size: version.size, isPdf };
  });
  return documentPage({
    title: book.title,
    layout: 'reader',
    script: 'reader.js',
    body: html`${brandBar({
      title: book.title,
      tools: html`${downloads(visit, book)}<form method="post" action="/v/${encodeURIComponent(nameOfVisit(visit))}/leave"><button>Close</button></form>`,
    })}
<div id="reader" data-visit="${nameOfVisit(visit)}" data-page="${number}" data-pages="${last}" data-chapters="${JSON.stringify(chapters)}" data-download="${String(book.mayDownload)}">
<nav id="thumbs" aria-label="${panel}" hidden>${book.chapters.length > 1 ? contents(visit, book) : ''}<ol></ol></nav>
<main id="stage" tabindex="0" aria-label="Document"><div id="sheet" class="sheet" role="group" aria-label="Page ${number} of ${last}"></div>
<div id="message" class="sheet empty">${waiting(visit, book)}</div></main>
<nav class="pager" aria-label="Pages">
<button id="show-thumbs" aria-controls="thumbs" aria-expanded="false" aria-label="${panel}" title="${panel}"><span aria-hidden="true">▤</span></button>
<span class="turns">${turn({ visit, to: number - 1, last, rel: 'prev', label: 'Previous', sign: '‹' })}
<span class="place"><input id="jump" aria-label="Page" inputmode="numeric" autocomplete="off" value="${number}" maxlength="5"> of <span id="last">${last}</span></span>
${turn({ visit, to: number + 1, last, rel: 'next', label: 'Next', sign: '›' })}</span>
<span class="zoom"><button id="zoom-out" aria-label="Zoom out"><span aria-hidden="true">−</span></button><select id="zoom" aria-label="Zoom"><option value="width">Fit width</option><option value="page">Fit page</option>
${[50, 75, 100, 125, 150, 200, 300, 400].map((percent) => html`<option value="${percent / 100}">${percent} %</option>`)}</select><button id="zoom-in" aria-label="Zoom in"><span aria-hidden="true">+</span></button></span>
</nav>
</div>
<p id="announce" class="hidden" role="status"></p>`,
  });
}

function downloads(visit: VisitRecord, { mayDownload, chapters }: Book): Markup | string {
  const [only] = chapters;
  if (!mayDownload || !only || chapters.length > 1) return '';
  return html`<a class="button" href="${filePath(visit, only)}&amp;download=1" download aria-label="Download"><span aria-hidden="true">↓ <span class="word">Download</span></span></a>`;
}

/** What stands there until the script has opened the file, and for who runs none. */
function waiting(visit: VisitRecord, book: Book): Markup {
  if (book.chapters.length === 0) return html`<p>There is nothing here to read yet.</p>`;
  const list = book.chapters.map(
    (chapter) =>
      html`<li><a href="${filePath(visit, chapter)}&amp;download=1" download>Download <bdi>${chapter.title}</bdi></a></li>`,
  );
  const offer = book.mayDownload
    ? html`<p>Pages are shown by JavaScript, which is off in this browser. You can read the file itself:</p><ul class="plain">${list}</ul>`
    : html`<p>Pages are shown by JavaScript, which is off in this browser, and this link offers no download. Turn JavaScript on to read.</p>`;
  return html`<p id="opening">Opening …</p><noscript>${offer}</noscript>`;
}

function turn(input: {
  visit: VisitRecord;
  to: number;
  last: number;
  rel: 'prev' | 'next';
  label: string;
  sign: string;
}): Markup {
  const { visit, to, last, rel, label, sign } = input;
  const inside = html`<span aria-hidden="true">${sign}</span>`;
  if (to < 1 || to > last)
    return html`<a id="${rel}" role="link" aria-disabled="true" class="button" aria-label="${label}">${inside}</a>`;
  return html`<a id="${rel}" rel="${rel}" class="button" href="${readingPath(visit, to)}" aria-label="${label}">${inside}</a>`;
}

function contents(visit: VisitRecord, book: Book): Markup {
  return html`<section class="contents" aria-labelledby="contents-title"><h2 id="contents-title">In this room</h2><ul>
${book.chapters.map(
  (chapter) =>
    html`<li><a href="${readingPath(visit, chapter.firstPage)}" data-turn="${chapter.firstPage}"><bdi>${chapter.title}</bdi></a> <span class="muted">${formatCount(chapter.pages, 'page')}</span></li>`,
)}
</ul></section>`;
}
