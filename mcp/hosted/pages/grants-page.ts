import { html } from 'hono/html';
import type { GrantNote } from '../oauth/grants.ts';
import type { Page } from './layout.ts';

/** Asks for the key whose sign-ins are to be shown. */
export function grantsKeyPage({ problem }: { problem?: string } = {}): Page {
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

/** The apps of one key. `visit` stands for the key, sealed, for a quarter of an hour. */
export function grantsPage({
  notes,
  visit,
  ended,
}: {
  notes: readonly GrantNote[];
  visit: string;
  ended: boolean;
}): Page {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const rows = notes.map(
    ({
      id,
      client,
      place,
      readOnly,
      since,
      usedAt,
    }) => html`<li><div><strong><bdi>${client}</bdi></strong> <span class="muted small">at <bdi>${place}</bdi><br>${readOnly ? 'only reads' : 'reads and changes'} · since ${day(since)} · last token ${day(usedAt)}</span></div>
<form method="post" action="/grants"><input type="hidden" name="visit" value="${visit}"><button class="small-button" name="end" value="${id}">End</button></form></li>`,
  );
  const list =
    rows.length === 0 ? html`<p>No app is signed in with this key.</p>` : html`<ul class="list">${rows}</ul>`;
  return {
    title: 'Signed-in apps',
    body: html`<h1>Apps that use your key</h1>
${ended ? html`<p class="notice good" role="status">Ended. The app is refused from now on.</p>` : ''}
${list}
<p class="small muted">An app that should never come back: revoke the key itself in Settings → API keys.</p>`,
  };
}
