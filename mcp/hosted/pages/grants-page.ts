import { html } from 'hono/html';
import { renderKeyField, renderProblem } from '../../pages/form-parts.ts';
import { FORM_SCRIPT } from '../../pages/form-script.ts';
import type { HtmlPage } from '../../pages/layout.ts';
import type { GrantSummary } from '../oauth/grants.ts';

/** Asks for the key whose connected apps to show. */
export function renderGrantsKeyPage({ problem }: { problem?: string } = {}): HtmlPage {
  return {
    title: 'Connected apps',
    script: FORM_SCRIPT,
    body: html`<h1>Connected apps</h1>
<p>Enter your API key to see and revoke the apps that use it.</p>
${renderProblem(problem)}
<form method="post" action="/grants">
${renderKeyField({ problem })}
<div class="actions"><button class="primary">Show apps</button></div>
</form>`,
  };
}

function renderWorkspaces(count: number) {
  return count > 1 ? html`<br>Uses ${count} workspaces. Revoking ends its access to all of them.` : '';
}

/** Lists the apps of one key. `session` is the encrypted key, valid for 15 minutes. */
export function renderGrantsPage(input: {
  grants: readonly GrantSummary[];
  session: string;
  isRevoked: boolean;
}): HtmlPage {
  const { grants, session, isRevoked } = input;
  const formatTime = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const rows = grants.map(
    ({
      id,
      client,
      place,
      readOnly,
      since,
      usedAt,
      keys = 1,
    }) => html`<li><div><strong><bdi>${client}</bdi></strong><br>
<span class="muted small"><bdi>${place}</bdi><br>${readOnly ? 'Read only' : 'Read and write'} · Signed in ${formatTime(since)} · Last used ${formatTime(usedAt)}${renderWorkspaces(keys)}</span></div>
<form method="post" action="/grants"><input type="hidden" name="visit" value="${session}"><button class="small-button" name="end" value="${id}" aria-label="Revoke ${client}, signed in ${formatTime(since)}">Revoke</button></form></li>`,
  );
  return {
    title: 'Connected apps',
    script: FORM_SCRIPT,
    body: html`<h1>Connected apps</h1>
${isRevoked ? html`<p class="notice good" role="status">Access revoked.</p>` : ''}
${rows.length === 0 ? html`<p>No app is signed in with this key.</p>` : html`<ul class="list">${rows}</ul>`}
<p class="small muted">To block an app for good, revoke the key in Settings → API keys.</p>`,
  };
}
