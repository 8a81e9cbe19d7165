import { html } from 'hono/html';
import type { VisitRecord } from '../../state/records.ts';
import type { ContentSection, SharedContent } from '../../state/shared-content.ts';
import { getVisitToken } from '../../state/visits.ts';
import { formatCount, type Markup, renderBrandBar, renderPageLayout } from '../layout/page-layout.ts';
import type { SectionData } from './reader-script.ts';
import { getPreviewType } from './shared-content.ts';

export function getReadingPath(visit: VisitRecord, page: number): string {
  return `/v/${encodeURIComponent(getVisitToken(visit))}?page=${page}`;
}

/** Path of a document's bytes for this visit. */
function getFilePath(visit: VisitRecord, { document, version }: ContentSection): string {
  return `/v/${encodeURIComponent(getVisitToken(visit))}/files/${encodeURIComponent(document.id)}?version=${version.version}`;
}

function getDownloadPath(visit: VisitRecord, section: ContentSection): string {
  return `${getFilePath(visit, section)}&download=1`;
}

/** Renders the frame into which the script paints one page at a time. */
export function renderReadingPage(input: { visit: VisitRecord; content: SharedContent; number: number }): Markup {
  const { visit, content, number } = input;
  const last = Math.max(1, content.pages);
  const sections = content.sections.map((section): SectionData => {
    const { title, firstPage, pages, version, document } = section;
    const fileName = document.file_name;
    const contentType = getPreviewType({ version, name: fileName });
    const file = { title, fileName, url: getFilePath(visit, section), size: version.size, contentType };
    return { ...file, canDownload: content.mayDownload, firstPage, pages };
  });
  return renderPageLayout({
    title: content.title,
    layout: 'reader',
    script: 'reader.js',
    body: html`<a class="skip" href="#stage">Skip to the document</a>${renderBrandBar({
      title: content.title,
      tools: html`${content.isRoom ? html`<span id="file" class="muted small"></span>` : ''}
${renderDownload({ visit, content, number })}<form method="post" action="/v/${encodeURIComponent(getVisitToken(visit))}/leave"><button>Close</button></form>`,
    })}
<div id="reader" data-visit="${getVisitToken(visit)}" data-page="${number}" data-pages="${last}" data-chapters="${JSON.stringify(sections)}">
${content.isRoom ? html`<nav id="contents" aria-label="Files" hidden>${renderContents(visit, content)}</nav>` : ''}
<main id="stage" tabindex="0" aria-label="Document"><div id="sheet" class="sheet" role="group" aria-label="Page ${number} of ${last}"></div>
<div id="message" class="sheet empty">${renderPlaceholder(visit, content)}</div></main>
<nav class="pager" aria-label="Pages">
${content.isRoom ? html`<button id="show-contents" aria-controls="contents" aria-expanded="false" aria-label="Files" title="Files"><span aria-hidden="true">▤</span></button>` : ''}
<span class="turns">${renderTurn({ visit, to: number - 1, last, rel: 'prev', label: 'Previous', sign: '‹' })}
<span class="place"><input id="jump" aria-label="Page" inputmode="numeric" autocomplete="off" value="${number}" maxlength="5"> of <span id="last">${last}</span></span>
${renderTurn({ visit, to: number + 1, last, rel: 'next', label: 'Next', sign: '›' })}</span>
<select id="zoom" aria-label="Zoom"><option value="width">Fit width</option><option value="page">Fit page</option>
${[50, 75, 100, 125, 150, 200, 300, 400].map((percent) => html`<option value="${percent / 100}">${percent} %</option>`)}</select>
</nav>
</div>
<p id="announce" class="hidden" role="status"></p>`,
  });
}

/** Downloads the file of the open page. */
function renderDownload(input: { visit: VisitRecord; content: SharedContent; number: number }): Markup | string {
  const { visit, content, number } = input;
  const section = content.sections.findLast(({ firstPage }) => firstPage <= number);
  if (!content.mayDownload || !section) return '';
  return html`<a class="button" id="download" href="${getDownloadPath(visit, section)}" download aria-label="Download"><span aria-hidden="true">↓ <span class="word">Download</span></span></a>`;
}

/** Shown until the script has opened the file, and without scripts. */
function renderPlaceholder(visit: VisitRecord, content: SharedContent): Markup {
  const list = content.sections.map(
    (section) =>
      html`<li><a href="${getDownloadPath(visit, section)}" download>Download <bdi>${section.title}</bdi></a></li>`,
  );
  const offer = content.mayDownload
    ? html`<p>JavaScript is off in this browser, so the pages can't be displayed. You can download the file:</p><ul class="plain">${list}</ul>`
    : html`<p>JavaScript is off in this browser, so the pages can't be displayed. Downloads are disabled for this link. Turn on JavaScript to view the document.</p>`;
  return html`<p id="opening">Loading…</p><noscript>${offer}</noscript>`;
}

function renderTurn(input: {
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
  return html`<a id="${rel}" rel="${rel}" class="button" href="${getReadingPath(visit, to)}" aria-label="${label}">${inside}</a>`;
}

/** Lists the files of a room under their folders. */
function renderContents(visit: VisitRecord, content: SharedContent): Markup {
  const folders = Map.groupBy(content.sections, ({ folder }) => folder);
  return html`<section class="contents" aria-labelledby="contents-title"><h2 id="contents-title">In this room</h2>
${[...folders].map(
  ([folder, sections]) =>
    html`${folder === '' ? '' : html`<h3><bdi>${folder}</bdi></h3>`}<ul>${sections.map((section) => renderFileRow({ visit, section, mayDownload: content.mayDownload }))}</ul>`,
)}</section>`;
}

function renderFileRow(input: { visit: VisitRecord; section: ContentSection; mayDownload: boolean }): Markup {
  const { visit, section, mayDownload } = input;
  const { title, document, firstPage, pages } = section;
  return html`<li><a href="${getReadingPath(visit, firstPage)}" data-turn="${firstPage}"><bdi>${title}</bdi></a>
<span class="muted"><bdi>${document.file_name}</bdi> · ${formatCount(pages, 'page')}${mayDownload ? html` · <a href="${getDownloadPath(visit, section)}" download aria-label="Download ${title}">Download</a>` : ''}</span></li>`;
}
