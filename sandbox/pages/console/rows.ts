import { STATUS_CODES } from 'node:http';
import { html } from 'hono/html';
import { BASE_PATH } from '../../base/base-path.ts';
import type { RouteDependencies } from '../../server/exchange.ts';
import type { LogEntry } from '../../server/request-log.ts';
import type { Delivery } from '../../state/delivery.ts';
import type { Markup } from '../layout/page-layout.ts';

const MAX_ROWS = 60;
const MAX_BODY_CHARS = 4_000;

export function getRecentRequests({ log }: RouteDependencies): readonly LogEntry[] {
  return log.entries().slice(-MAX_ROWS).reverse();
}

export function getRecentDeliveries({ service }: RouteDependencies): readonly Delivery[] {
  return [...service.state.deliveries.values()].slice(-MAX_ROWS).reverse();
}

export function renderRequest(entry: LogEntry): Markup {
  const { id, method, path, status, fault } = entry;
  const query = new URLSearchParams(entry.query).toString();
  const shortPath = path.replace(BASE_PATH, '') || path;
  return html`<li id="${id}"><details id="more-${id}"><summary>${renderTime(entry.at)}<strong>${method}</strong><span title="${path}">${shortPath}${query ? `?${query}` : ''}</span>
<span>${fault ? html`<span class="badge warn">fault</span> ` : ''}${renderStatus(status)}</span></summary>
<div class="inside">
<p class="muted small">${entry.route ?? 'no route'}${entry.operation ? ` · ${entry.operation}` : ''}${entry.key ? ` · ${entry.key}` : ''} · ${entry.ms} ms · ${id}</p>
${entry.body === undefined ? '' : html`<pre tabindex="0">${truncate(JSON.stringify(entry.body, null, 2))}</pre>`}
<pre tabindex="0">${Object.entries(entry.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}</pre></div></details></li>`;
}

export function renderDelivery(delivery: Delivery): Markup {
  const { id, kind, url, attempts, status, nextAttemptAt } = delivery;
  const badgeClass = status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'warn';
  return html`<li id="${id}"><details id="more-${id}"><summary>${renderTime(delivery.createdAt)}<span title="${kind}, ${url}"><strong>${kind}</strong> <span class="muted">${url.replace(/^https?:\/\//, '')}</span></span>
<span class="badge ${badgeClass}">${status}${attempts.length > 1 ? ` ×${attempts.length}` : ''}</span></summary>
<div class="inside">
<p class="muted small">${url}</p>
<ul class="plain">${attempts.map(
    ({ at, status: responseStatus, error, ms }) =>
      html`<li>${renderTime(at)} ${responseStatus === null ? html`<span class="bad">${error}</span>` : renderStatus(responseStatus)} <span class="muted">${ms} ms</span></li>`,
  )}${nextAttemptAt !== null && attempts.length > 0 ? html`<li class="muted">next attempt at ${renderTime(nextAttemptAt)}</li>` : ''}</ul>
<form data-act="POST /deliveries/${id}/redeliver" data-done="Sent again"><button id="again-${id}">Send again</button></form>
<pre tabindex="0">${truncate(formatJson(delivery.body))}</pre></div></details></li>`;
}

function renderStatus(status: number): Markup {
  if (status === 0) return html`<span class="badge bad">connection cut</span>`;
  const badgeClass = status < 300 ? 'good' : status < 400 ? '' : status === 429 ? 'warn' : 'bad';
  return html`<span class="badge ${badgeClass}" title="${STATUS_CODES[status] ?? ''}">${status}</span>`;
}

function renderTime(at: number): Markup {
  const iso = new Date(at).toISOString();
  return html`<time class="muted" datetime="${iso}" title="${iso}">${iso.slice(11, 19)}</time>`;
}

function formatJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function truncate(text: string): string {
  return text.length > MAX_BODY_CHARS ? `${text.slice(0, MAX_BODY_CHARS)}\n… ${text.length} characters` : text;
}
