import { html } from 'hono/html';
import type { GrantSummary } from '../oauth/grants.ts';
import type { HtmlPage } from './layout.ts';

/** Asks for the key whose sign-ins are to be shown. */
export function grantsKeyPage({ problem }: { problem?: string } = {}): HtmlPage {
  const alert = problem === undefined ? '' : html`<p class="notice bad" role="alert">${problem}</p>`;
  return {
    title: 'Signed-in apps',
    body: html`<h1>Which apps use your key?</h1>
<p>Give the key, and you see every app that signed in with it here. You can end each of them.</p>
${alert}
<form method="post" action="/grants">
<label for="api_key">Your API key</label>
<input class="secret" type="text" id="api_key" name="api_key" required maxlength="4096" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" data-1p-ignore data-lpignore="true">
<div class="actions"><button class="primary">Show</button></div>
</form>`,
  };
}

/** The apps of one key. `session` stands for the key, sealed, for a quarter of an hour. */
export function grantsPage({
  grants,
  session,
  isRevoked,
}: {
  grants: readonly GrantSummary[];
  session: string;
  isRevoked: boolean;
}): HtmlPage {
  const formatDay = (at: number) => new Date(at).toISOString().slice(0, 10);
  const rows = grants.map(
    ({
      id,
      client,
      place,
      readOnly,
      since,
      usedAt,
    }) => html`<li><div><strong><bdi>${client}</bdi></strong> <span class="muted small">at <bdi>${place}</bdi><br>${readOnly ? 'only reads' : 'reads and changes'} · since ${formatDay(since)} · last token ${formatDay(usedAt)}</span></div>
<form method="post" action="/grants"><input type="hidden" name="visit" value="${session}"><button class="small-button" name="end" value="${id}">End</button></form></li>`,
  );
  const list =
    rows.length === 0 ? html`<p>No app is signed in with this key.</p>` : html`<ul class="list">${rows}</ul>`;
  return {
    title: 'Signed-in apps',
    body: html`<h1>Apps that use your key</h1>
${isRevoked ? html`<p class="notice good" role="status">Ended. The app is refused from now on.</p>` : ''}
${list}
<p class="small muted">An app that should never come back: revoke the key itself in Settings → API keys.</p>`,
  };
}
