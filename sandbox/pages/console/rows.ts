import { STATUS_CODES } from 'node:http';
import { html } from 'hono/html';
import type { Delivery } from '../../events/delivery.ts';
import type { Doors } from '../../http/exchange.ts';
import type { LogEntry } from '../../http/request-log.ts';
import type { Markup } from '../document-page.ts';

const SHOWN = 60;
const BODY_CHARACTERS = 4_000;

export function recentRequests({ log }: Doors): readonly LogEntry[] {
  return log.entries().slice(-SHOWN).reverse();
}

export function recentDeliveries({ service }: Doors): readonly Delivery[] {
  return [...service.state.deliveries.values()].slice(-SHOWN).reverse();
}

export function requestRow(entry: LogEntry): Markup {
  const { id, method, path, status, fault } = entry;
  const query = new URLSearchParams(entry.query).toString();
  const short = path.replace(/^\/api\/v1/, '') || path;
  return html`<li id="${id}"><details id="more-${id}"><summary>${clock(entry.at)}<strong>${method}</strong><span title="${path}">${short}${query ? `?${query}` : ''}</span>
<span>${fault ? html`<span class="badge warn">fault</span> ` : ''}${statusBadge(status)}</span></summary>
<div class="inside">
<p class="muted small">${entry.route ?? 'no route'}${entry.operation ? ` · ${entry.operation}` : ''}${entry.key ? ` · ${entry.key}` : ''} · ${entry.ms} ms · ${id}</p>
${entry.body === undefined ? '' : html`<pre tabindex="0">${shorten(JSON.stringify(entry.body, null, 2))}</pre>`}
<pre tabindex="0">${Object.entries(entry.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}</pre></div></details></li>`;
}

export function deliveryRow(delivery: Delivery): Markup {
  const { id, kind, url, attempts, status, nextAttemptAt } = delivery;
  const look = status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'warn';
  return html`<li id="${id}"><details id="more-${id}"><summary>${clock(delivery.createdAt)}<span title="${kind}, ${url}"><strong>${kind}</strong> <span class="muted">${url.replace(/^https?:\/\//, '')}</span></span>
<span class="badge ${look}">${status}${attempts.length > 1 ? ` ×${attempts.length}` : ''}</span></summary>
<div class="inside">
<p class="muted small">${url}</p>
<ul class="plain">${attempts.map(
    ({ at, status: answer, error, ms }) =>
      html`<li>${clock(at)} ${answer === null ? html`<span class="bad">${error}</span>` : statusBadge(answer)} <span class="muted">${ms} ms</span></li>`,
  )}${nextAttemptAt !== null && attempts.length > 0 ? html`<li class="muted">tried again at ${clock(nextAttemptAt)}</li>` : ''}</ul>
<form data-act="POST /deliveries/${id}/redeliver" data-done="Sent again"><button id="again-${id}">Send again</button></form>
<pre tabindex="0">${shorten(pretty(delivery.body))}</pre></div></details></li>`;
}

function statusBadge(status: number): Markup {
  if (status === 0) return html`<span class="badge bad">cut off</span>`;
  const look = status < 300 ? 'good' : status < 400 ? '' : status === 429 ? 'warn' : 'bad';
  return html`<span class="badge ${look}" title="${STATUS_CODES[status] ?? ''}">${status}</span>`;
}

function clock(at: number): Markup {
  const iso = new Date(at).toISOString();
  return html`<time class="muted" datetime="${iso}" title="${iso}">${iso.slice(11, 19)}</time>`;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function shorten(text: string): string {
  return text.length > BODY_CHARACTERS
    ? `${text.slice(0, BODY_CHARACTERS)}\n… ${text.length} characters`
    : text;
}
