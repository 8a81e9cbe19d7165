import type { Hono } from 'hono';
import { html } from 'hono/html';
import { operations } from '../../../src/operations/index.ts';
import { SCOPES } from '../../../src/scopes.ts';
import { BASE_PATH } from '../../base/base-path.ts';
import type { Env, RouteDependencies } from '../../server/exchange.ts';
import { isLocalRequest } from '../../server/same-site.ts';
import { type Markup, renderFooter, renderPageLayout, sendPage } from '../layout/page-layout.ts';
import { CONSOLE_PARTS, renderCopyable } from './parts.ts';
import { getRecentDeliveries, getRecentRequests, renderDelivery, renderRequest } from './rows.ts';

/** Renders the console: stored data, live requests and the controls. */
function renderConsole(dependencies: RouteDependencies): Markup {
  const renderPart = (id: string) => html`<div id="${id}" data-live="part">${CONSOLE_PARTS[id]?.(dependencies)}</div>`;
  return renderPageLayout({
    title: 'Docshare sandbox',
    layout: 'console',
    script: 'console.js',
    body: html`<a class="skip" href="#stored-title">Skip to stored data</a>
<header class="bar"><h1>Docshare sandbox</h1>
<nav class="jumps" aria-label="On this page">${['requests', 'deliveries', 'stored', 'keys', 'profile', 'faults', 'clock'].map((id) => html`<a href="#${id}-title">${id[0]?.toUpperCase()}${id.slice(1)}</a> `)}</nav>
<span class="live" id="live" role="status">connecting…</span>
<form data-act="POST /reset" data-done="Sandbox reset" data-confirm="Reset the sandbox? All data created since the start is lost. Only the first API key keeps working."><button>Reset</button></form></header>
<div class="desk">
<main>
<section class="panel" aria-labelledby="start-title"><h2 id="start-title">Get started</h2>${renderPart('first-steps')}</section>
<div class="pair">
<section class="panel" aria-labelledby="requests-title"><h2 id="requests-title">Requests</h2>
<div role="log" aria-label="Live requests">
<ul class="stream" id="requests" data-live="rows" tabindex="0" data-empty="No requests yet. Copy a command above to send the first one.">${getRecentRequests(dependencies).map(renderRequest)}</ul></div></section>
<section class="panel" aria-labelledby="deliveries-title"><h2 id="deliveries-title">Webhook deliveries</h2>
<div role="log" aria-label="Live deliveries">
<ul class="stream" id="deliveries" data-live="rows" tabindex="0"
  data-empty="No deliveries yet. Register an endpoint with POST /webhooks, then open a link or sign an agreement.">${getRecentDeliveries(dependencies).map(renderDelivery)}</ul></div></section>
</div>
<section class="panel" aria-labelledby="stored-title"><h2 id="stored-title" tabindex="-1">Stored</h2>${renderPart('stored')}</section>
</main>
<aside aria-label="Controls">
<section class="panel" aria-labelledby="keys-title"><h2 id="keys-title">Base URL and keys</h2>
${renderCopyable(`${dependencies.service.origin}${BASE_PATH}`, 'the base URL')}
${renderPart('key-list')}
${renderKeyForm()}</section>
<section class="panel" aria-labelledby="profile-title"><h2 id="profile-title">Profile</h2>${renderPart('profile-now')}</section>
<section class="panel" aria-labelledby="faults-title"><h2 id="faults-title">Faults</h2>${renderPart('fault-list')}${renderFaultForm()}</section>
<section class="panel" aria-labelledby="clock-title"><h2 id="clock-title">Clock</h2>${renderPart('clock-now')}${renderClockForm()}</section>
</aside>
</div>
${renderFooter()}
<div id="notice" role="alert"></div>
<noscript><p class="muted">JavaScript is off, so this page can't update or change anything.</p></noscript>`,
  });
}

function renderKeyForm(): Markup {
  return html`<details id="new-key"><summary>Create a key</summary>
<form data-act="POST /keys" data-list="scopes" data-done="Key created"><fieldset><legend class="muted small">Scopes</legend>
${SCOPES.map((scope) => html`<label class="check"><input type="checkbox" name="scopes" value="${scope}" checked> ${scope}</label>`)}
</fieldset><button>Create key</button></form></details>`;
}

function renderFaultForm(): Markup {
  const field = (name: string, label: string, attributes: Markup) =>
    html`<label for="fault-${name}">${label}<input id="fault-${name}" name="${name}" autocomplete="off" ${attributes}></label>`;
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) =>
    html`<label for="fault-${name}">${label}<select id="fault-${name}" name="${name}">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></label>`;
  const toOptions = (values: readonly string[]) => values.map((value) => [value, value] as const);
  return html`<details id="new-fault"><summary>Inject a fault</summary>
<form data-act="POST /faults" data-done="Fault added" class="row fields">
${choice('operation', 'Operation', [['', 'all'], ...toOptions(operations.map(({ name }) => name))])}
${choice('method', 'Method', [['', 'all'], ...toOptions(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])])}
${field('path', 'Path', html`placeholder="/links/*"`)}
${field('nth', 'Only nth match', html`placeholder="1,3" inputmode="numeric"`)}
${field('times', 'Times', html`type="number" min="1" placeholder="always"`)}
${field('probability', 'Probability', html`type="number" min="0" max="1" step="any" placeholder="1"`)}
${choice('when', 'When', [
  ['before', 'instead of the operation'],
  ['after', 'after the operation'],
])}
${field('status', 'Status', html`type="number" min="200" max="599" value="500"`)}
${choice('cut', 'Connection', [
  ['', 'keep open'],
  ['drop', 'close'],
  ['reset', 'reset'],
  ['hang', 'never respond'],
])}
${field('truncate', 'Bytes sent', html`type="number" min="0" placeholder="all"`)}
${field('delayMs', 'Delay (ms)', html`type="number" min="0"`)}
${field('bodyDelayMs', 'Body delay (ms)', html`type="number" min="0"`)}
<label class="wide" for="fault-headers">Headers<textarea id="fault-headers" name="headers" rows="2" placeholder="retry-after: 2" spellcheck="false"></textarea></label>
<label class="wide" for="fault-body">Body<textarea id="fault-body" name="body" rows="2" spellcheck="false"></textarea></label>
<button>Add fault</button></form></details>`;
}

function renderClockForm(): Markup {
  const renderJump = (ms: number, label: string) => html`<button name="ms" value="${ms}">${label}</button>`;
  return html`<form data-act="POST /clock/advance" data-done="Clock advanced" class="row">${renderJump(60_000, '+1 minute')}${renderJump(3_600_000, '+1 hour')}${renderJump(86_400_000, '+1 day')}</form>
<form data-act="POST /clock/advance" data-done="Clock advanced" class="row"><label for="amount">Advance by<input id="amount" name="amount" type="number" min="0" step="any" required></label>
<label for="unit">Unit<select id="unit" name="unit"><option value="1000">seconds</option><option value="60000" selected>minutes</option><option value="3600000">hours</option><option value="86400000">days</option></select></label>
<button>Advance</button></form>`;
}

/** Adds the console at `/`. It refreshes on server-sent events. */
export function addConsole(app: Hono<Env>, dependencies: RouteDependencies): void {
  // Reachable from links on any site, unlike the control routes; its headers forbid framing.
  app.get('/', async (context) =>
    isLocalRequest(context)
      ? sendPage(context, renderConsole(dependencies))
      : context.text('This page is available only on this machine, at 127.0.0.1 or localhost\n', 403),
  );
}
