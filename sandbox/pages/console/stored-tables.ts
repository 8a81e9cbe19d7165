import { html } from 'hono/html';
import type { RouteDependencies } from '../../server/exchange.ts';
import { formatCount, type Markup } from '../layout/document-page.ts';
import { TABLES } from './tables.ts';

/** Rows per table, newest first. */
const MAX_ROWS = 30;

export function renderStoredTables({ service }: RouteDependencies): Markup {
  return html`${TABLES.map((table) => {
    const records = table.records(service);
    const newest = records.slice(-MAX_ROWS).reverse();
    return html`<details id="table-${table.title.toLowerCase()}"><summary><span>${table.title}</span><span class="badge">${records.length}</span></summary>
${
  newest.length === 0
    ? html`<p class="muted">No ${table.title.toLowerCase()} yet. ${table.hint}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${table.title}"><table><caption class="hidden">${table.title}</caption>
<thead><tr>${table.head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${newest.map((cells) => html`<tr>${cells().map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>
${records.length > MAX_ROWS ? html`<p class="muted small">${formatCount(records.length - MAX_ROWS, 'older record')} not shown</p>` : ''}</div>`
}</details>`;
  })}`;
}
