import { html } from 'hono/html';
import type { Scope } from '../../../src/scopes.ts';
import type { ConfirmMode } from '../../call/call-tool.ts';
import type { OAuthClient } from '../oauth/oauth-clients.ts';
import { getRedirectTarget } from '../oauth/redirect-uri.ts';
import type { GroupScopes } from '../oauth/scope-selection.ts';
import { GROUP_LABELS, joinList } from './group-labels.ts';
import type { Html, HtmlPage } from './layout.ts';

/** Who asks, and where the answer goes. */
interface ConsentRequest {
  readonly client: OAuthClient;
  readonly redirect: string;
  /** Where "Cancel" leads: back to the app, with a no. */
  readonly cancel: string;
  /** The request, sealed. */
  readonly form: string;
}

/** The first page: who asks, and for a key. */
export function signInPage(
  consentRequest: ConsentRequest,
  {
    host,
    problem,
    sandboxKey,
  }: { host: string; problem?: string | undefined; sandboxKey?: string | undefined },
): HtmlPage {
  const { client, cancel, form } = consentRequest;
  const alert =
    problem === undefined ? '' : html`<p class="notice bad" role="alert" id="problem">${problem}</p>`;
  const invalid = problem === undefined ? '' : html` aria-invalid="true"`;
  return {
    title: 'Sign in',
    body: html`<h1><bdi>${client.name}</bdi> wants to use Docshare for you</h1>
${renderFacts(consentRequest)}
${alert}
<form method="post" action="/authorize">
<input type="hidden" name="form" value="${form}">
<label for="api_key">Your API key</label>
<input class="secret" type="text" id="api_key" name="api_key" required maxlength="4096" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" data-1p-ignore data-lpignore="true" aria-describedby="key-hint"${invalid}>
<p class="small muted" id="key-hint">From Settings → API keys. A key with few scopes is welcome: the app can never do more than its key.</p>
${sandboxKey === undefined ? '' : html`<p class="small">This server runs on the sandbox, where nothing is real. Its key: <code>${sandboxKey}</code></p>`}
<div class="actions"><button class="primary">Check the key</button><a class="button" href="${cancel}">Cancel</a></div>
</form>
<p class="small muted foot">You give the key to <strong>${host}</strong>, not to the app. This server asks the service what the key can do; nothing is allowed yet.</p>`,
  };
}

/** The second page: what the key can do, and how much of it the app may. */
export function consentPage(
  consentRequest: ConsentRequest,
  choice: {
    groups: readonly GroupScopes[];
    requestedScopes: readonly Scope[];
    deniedScopes: readonly Scope[];
    canWrite: boolean;
    confirm: ConfirmMode;
    problem?: string | undefined;
  },
): HtmlPage {
  const { client, redirect, cancel, form } = consentRequest;
  const { groups, requestedScopes, deniedScopes, canWrite, confirm, problem } = choice;
  const rows = groups.flatMap((offer) => groupRow(offer, { requestedScopes, deniedScopes, canWrite }));
  const readable = groups
    .filter(({ reads }) =>
      reads.some((scope) => requestedScopes.includes(scope) && !deniedScopes.includes(scope)),
    )
    .map(({ group }) => GROUP_LABELS[group as keyof typeof GROUP_LABELS].name.toLowerCase());
  const alert = problem === undefined ? '' : html`<p class="notice bad" role="alert">${problem}</p>`;
  return {
    title: 'What may the app do?',
    body: html`<h1>What may <bdi>${client.name}</bdi> do?</h1>
<p><span class="good">✓ The service takes the key.</span> It can read ${joinList(readable)}.</p>
${alert}
<form method="post" action="/authorize">
<input type="hidden" name="form" value="${form}">
<fieldset><legend>It may use</legend>
${rows}
</fieldset>
${canWrite ? accessFieldset() : ''}
${confirmFieldset(confirm)}
<p class="small muted">The answer goes to <strong>${describeRedirectTarget(redirect)}</strong>. You can end this at any time under <a href="/grants" target="_blank" rel="noopener">/grants</a>.</p>
<div class="actions"><button class="primary" name="decision" value="allow">Allow</button><button name="decision" value="back" formnovalidate>Use another key</button><a class="button" href="${cancel}">Cancel</a></div>
</form>`,
  };
}

/** The last page: back to the app, by itself or by the link. */
export function signedInPage({ client, returnUrl }: { client: OAuthClient; returnUrl: string }): HtmlPage {
  return {
    title: 'Signed in',
    redirectUrl: returnUrl,
    body: html`<h1><span class="good">✓</span> <bdi>${client.name}</bdi> is signed in</h1>
<p>You are being taken back to it. If nothing happens, use the button; then you can close this page.</p>
<p class="actions"><a class="button primary" id="back" href="${returnUrl}">Back to <bdi>${client.name}</bdi></a></p>`,
  };
}

/** A request that can't be served: the person goes back with a no. */
export function signInFailedPage({
  client,
  returnUrl,
  message,
}: {
  client: OAuthClient;
  returnUrl: string;
  message: string;
}): HtmlPage {
  return {
    title: 'This can’t work',
    body: html`<h1>This sign-in can’t work</h1>
<p><bdi>${client.name}</bdi> asked in a way that this server does not take:</p>
<p class="notice bad" role="alert">${message}</p>
<p class="actions"><a class="button" id="back" href="${returnUrl}">Back to <bdi>${client.name}</bdi></a></p>`,
  };
}

function renderFacts({ client, redirect }: ConsentRequest): Html {
  const verified =
    client.publishedBy === undefined
      ? html`<span class="warn">⚠ Not verified.</span> Anybody can give an app this name. Go on only if you have just started this in an app of yours.`
      : html`<span class="good">✓ Published by <strong>${client.publishedBy}</strong>.</span> That website says that this is its app.`;
  return html`<dl class="facts">
<div><dt>App</dt><dd><strong><bdi>${client.name}</bdi></strong>, as it calls itself</dd></div>
<div><dt>Goes back to</dt><dd><strong>${describeRedirectTarget(redirect)}</strong></dd></div>
<div><dt>Verified</dt><dd>${verified}</dd></div>
</dl>`;
}

/** Where an answer goes, for a person. */
export function describeRedirectTarget(redirect: string): string {
  const { kind, name } = getRedirectTarget(redirect);
  if (kind === 'computer') return `a program on this computer (${name})`;
  return kind === 'app' ? `an installed program (${name})` : name;
}

function groupRow(
  { group, reads, writes }: GroupScopes,
  {
    requestedScopes,
    deniedScopes,
    canWrite,
  }: { requestedScopes: readonly Scope[]; deniedScopes: readonly Scope[]; canWrite: boolean },
): Html[] {
  const { name, contents } = GROUP_LABELS[group as keyof typeof GROUP_LABELS];
  const isAvailable = (scope: Scope) => requestedScopes.includes(scope) && !deniedScopes.includes(scope);
  const canRead = reads.some(isAvailable);
  const canChange = canWrite && writes.some(isAvailable);
  if (!canRead && !canChange && ![...reads, ...writes].some((scope) => requestedScopes.includes(scope)))
    return [];
  if (!canRead && !canChange)
    return [
      html`<label class="choice muted"><input type="checkbox" disabled><span>${name}<small>The key does not reach them.</small></span></label>`,
    ];
  const [first = '', ...rest] = contents;
  const description = canRead
    ? `${first.toUpperCase()}${rest.join('')}${canWrite && !canChange ? ' (reading only)' : ''}.`
    : 'The key can’t read them. It may be able to change them.';
  const checked = canRead ? html` checked` : '';
  return [
    html`<label class="choice"><input type="checkbox" name="group" value="${group}"${checked}><span>${name}<small>${description}</small></span></label>`,
  ];
}

function accessFieldset(): Html {
  return html`<fieldset><legend>There it may</legend>
<label class="choice"><input type="radio" name="changes" value="yes" checked><span>Read and change<small>Create, edit, send and delete, as far as the key can.</small></span></label>
<label class="choice"><input type="radio" name="changes" value="no"><span>Only read<small>The app gets no tool that changes anything.</small></span></label>
</fieldset>`;
}

const CONFIRM_LABELS: Readonly<Record<ConfirmMode, readonly [string, string]>> = {
  auto: [
    'Ask me before what can’t be undone',
    'Before it sends or deletes something, or opens something up to others.',
  ],
  token: [
    'Ask me before what can’t be undone',
    'Before it sends or deletes something, or opens something up to others.',
  ],
  always: ['Ask me before every change', 'Also before it creates or edits something.'],
  off: ['Never ask me', 'What it sends or deletes is done at once.'],
};

/** What a person may choose: never less than whoever runs the server decided. */
export function confirmModes(minMode: ConfirmMode): readonly ConfirmMode[] {
  if (minMode === 'always') return ['always'];
  return minMode === 'off' ? ['auto', 'always', 'off'] : [minMode, 'always'];
}

function confirmFieldset(minMode: ConfirmMode): Html {
  const modes = confirmModes(minMode);
  const rows = modes.map((mode, index) => {
    const [name, more] = CONFIRM_LABELS[mode];
    return html`<label class="choice"><input type="radio" name="confirm" value="${mode}"${index === 0 ? html` checked` : ''}><span>${name}<small>${more}</small></span></label>`;
  });
  return html`<fieldset><legend>When it acts</legend>
${rows}
</fieldset>`;
}
