import { html } from 'hono/html';
import { type Html, renderErrorPage } from './layout.ts';

/** Alert above a form; empty without a problem. */
export function renderProblem(problem: string | undefined): Html | '' {
  return problem === undefined ? '' : html`<p class="notice bad" role="alert" id="problem">${problem}</p>`;
}

/** Label, input and optional hint for an API key. */
export function renderKeyField({
  label = 'Your API key',
  problem,
  hint,
}: {
  label?: string;
  problem?: string | undefined;
  hint?: string;
} = {}): Html {
  const ids = [problem === undefined ? [] : 'problem', hint === undefined ? [] : 'key-hint'].flat().join(' ');
  const describedBy = ids === '' ? '' : html` aria-describedby="${ids}"`;
  const invalid = problem === undefined ? '' : html` aria-invalid="true"`;
  return html`<label for="api_key">${label}</label>
<input class="secret" type="text" id="api_key" name="api_key" required maxlength="4096" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" data-1p-ignore data-lpignore="true"${describedBy}${invalid}>
${hint === undefined ? '' : html`<p class="small muted" id="key-hint">${hint}</p>`}`;
}

/** Page for a form that another website submitted. */
export const CROSS_SITE_PAGE = renderErrorPage({
  title: 'Request blocked',
  message: 'This request came from another website, so nothing was done.',
  next: 'Open the link directly and try again.',
});

/** Page for a one-time link that no longer works. */
export function renderLinkExpiredPage(next: string) {
  return renderErrorPage({ title: 'Link expired', message: 'This link has expired or has already been used.', next });
}
