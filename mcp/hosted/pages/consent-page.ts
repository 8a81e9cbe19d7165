import { html } from 'hono/html';
import type { Scope } from '../../../src/scopes.ts';
import type { ConfirmMode } from '../../call/call-tool.ts';
import { renderKeyField, renderProblem } from '../../pages/form-parts.ts';
import { FORM_SCRIPT } from '../../pages/form-script.ts';
import type { Html, HtmlPage } from '../../pages/layout.ts';
import type { OAuthClient } from '../oauth/oauth-clients.ts';
import { getRedirectTarget } from '../oauth/redirect-uri.ts';
import type { GroupScopes } from '../oauth/scope-selection.ts';
import { GROUP_LABELS } from './group-labels.ts';

export interface ConsentRequest {
  readonly client: OAuthClient;
  readonly redirect: string;
  /** Redirect URL with `access_denied`, for "Cancel". */
  readonly cancel: string;
  /** Encrypted request, as a hidden field. */
  readonly form: string;
}

/** First page: shows which app asks, and takes the API key. */
export function renderSignInPage(
  consentRequest: ConsentRequest,
  options: { host: string; problem?: string | undefined; sandboxKey?: string | undefined },
): HtmlPage {
  const { client, cancel, form } = consentRequest;
  const { host, problem, sandboxKey } = options;
  const hint =
    'From Settings → API keys. Use a key with as few scopes as possible. The app can never do more than the key allows.';
  return {
    title: 'Sign in',
    script: FORM_SCRIPT,
    body: html`<h1><bdi>${client.name}</bdi> wants to access your Docshare workspace</h1>
${renderFacts(consentRequest)}
${renderProblem(problem)}
<form method="post" action="/authorize">
<input type="hidden" name="form" value="${form}">
${renderKeyField({ problem, hint })}
${sandboxKey === undefined ? '' : html`<p class="small">This server runs on the sandbox, which holds demo data only. Its key: <code>${sandboxKey}</code></p>`}
<div class="actions"><button class="primary">Continue</button><a class="button" href="${cancel}">Cancel</a></div>
</form>
<p class="small muted foot">Your key is sent to <strong>${host}</strong>, not to the app. You choose what to allow in the next step.</p>`,
  };
}

/** A workspace of the sign-in, as its pages show it. */
export interface SignInWorkspace {
  /** Empty if there is only one. */
  readonly name: string;
  /** Last four characters of the key. */
  readonly keyEnding: string;
  readonly deniedScopes: readonly Scope[];
}

interface ConsentChoice {
  readonly groups: readonly GroupScopes[];
  readonly requestedScopes: readonly Scope[];
  /** Scopes that no key has. */
  readonly deniedScopes: readonly Scope[];
  readonly canWrite: boolean;
  readonly confirm: ConfirmMode;
  readonly workspaces: readonly SignInWorkspace[];
  readonly mayAddWorkspace: boolean;
  /** Choices made earlier; undefined shows the defaults. */
  readonly choices?: { groups: readonly string[]; readOnly: boolean; confirm: string } | undefined;
  /** Host of the service that the keys belong to. */
  readonly serviceHost: string | undefined;
  readonly problem?: string | undefined;
}

/** Second page: narrows what the app can do with the keys. */
export function renderConsentPage(consentRequest: ConsentRequest, choice: ConsentChoice): HtmlPage {
  const { client, redirect, cancel, form } = consentRequest;
  const { groups, canWrite, mayAddWorkspace, problem } = choice;
  return {
    title: 'What can the app access?',
    script: FORM_SCRIPT,
    body: html`<h1>What can <bdi>${client.name}</bdi> access?</h1>
${renderWorkspaces(choice)}
${renderProblem(problem)}
<form method="post" action="/authorize">
<input type="hidden" name="form" value="${form}">
<fieldset><legend>Access to</legend>
<p class="small"><button type="button" class="small-button" data-check="all" hidden>Select all</button> <button type="button" class="small-button" data-check="none" hidden>Select none</button></p>
${groups.flatMap((group) => renderGroupRow(group, choice))}
</fieldset>
${canWrite ? renderPermissionsFieldset(choice) : ''}
${renderApprovalsFieldset(choice)}
<p class="small muted">You return to <strong>${describeRedirectTarget(redirect)}</strong>. You can revoke access at any time at <a href="/grants" target="_blank" rel="noopener">/grants</a>.</p>
<div class="actions"><button class="primary" name="decision" value="allow">Allow</button>
${mayAddWorkspace ? html`<button name="decision" value="add">Add another workspace</button>` : ''}
<button name="decision" value="restart">${choice.workspaces.length > 1 ? 'Start over' : 'Use another key'}</button>
<a class="button" href="${cancel}">Cancel</a></div>
</form>`,
  };
}

function renderWorkspaces({ workspaces, serviceHost }: ConsentChoice): Html {
  const [first] = workspaces;
  const host = (words: string) => (serviceHost === undefined ? '' : html`${words} <strong>${serviceHost}</strong>`);
  if (workspaces.length === 1)
    return html`<p class="good">✓ Key accepted <span class="muted">(ends in <code>${first?.keyEnding ?? ''}</code>${host(', for the workspace at')})</span></p>`;
  return html`<p class="good">✓ ${workspaces.length} workspaces <span class="muted">${host('at')}</span></p>
<ul>${workspaces.map(({ name, keyEnding }) => html`<li><strong>${name}</strong> <span class="muted">(key ends in <code>${keyEnding}</code>)</span></li>`)}</ul>
<p class="small muted">What you choose here applies to each of them.</p>`;
}

/** Last page: redirects to the app, with a link as fallback. */
export function renderSignedInPage({ client, returnUrl }: { client: OAuthClient; returnUrl: string }): HtmlPage {
  return {
    title: 'Signed in',
    redirectUrl: returnUrl,
    body: html`<h1><span class="good">✓</span> <bdi>${client.name}</bdi> is connected</h1>
<p>You are being redirected. If nothing happens, use the button. You can close this page afterwards.</p>
${renderReturnButton(client, { returnUrl, className: 'button primary' })}`,
  };
}

/** Page for an invalid request; the person can return to the app with the error. */
export function renderSignInFailedPage(input: { client: OAuthClient; returnUrl: string; message: string }): HtmlPage {
  const { client, returnUrl, message } = input;
  return {
    title: 'Sign-in failed',
    body: html`<h1>Sign-in failed</h1>
<p><bdi>${client.name}</bdi> sent an invalid request:</p>
<p class="notice bad" role="alert">${message}</p>
${renderReturnButton(client, { returnUrl, className: 'button' })}`,
  };
}

function renderReturnButton(client: OAuthClient, link: { returnUrl: string; className: string }): Html {
  return html`<p class="actions"><a class="${link.className}" id="back" href="${link.returnUrl}"><span>Return to <bdi>${client.name}</bdi></span></a></p>`;
}

function renderFacts({ client, redirect }: ConsentRequest): Html {
  // Any program on the user's computer could have started the sign-in of an app there.
  const isVerified = client.publishedBy !== undefined && getRedirectTarget(redirect).kind === 'web';
  const verified = isVerified
    ? html`<span class="good">✓ Published by <strong>${client.publishedBy}</strong>.</span> This website lists the app as its own.`
    : html`<span class="warn">⚠ Not verified.</span> Anyone can use this name. Continue only if you just started this sign-in yourself.`;
  return html`<dl class="facts">
<div><dt>App</dt><dd><strong><bdi>${client.name}</bdi></strong> (name chosen by the app)</dd></div>
<div><dt>Redirects to</dt><dd><strong>${describeRedirectTarget(redirect)}</strong></dd></div>
<div><dt>Verified</dt><dd>${verified}</dd></div>
</dl>`;
}

export function describeRedirectTarget(redirect: string): string {
  const { kind, name } = getRedirectTarget(redirect);
  if (kind === 'computer') return `an app on this computer (${name})`;
  return kind === 'app' ? `an installed app (${name})` : name;
}

function renderGroupRow({ group, reads, writes }: GroupScopes, choice: ConsentChoice): Html[] {
  const { requestedScopes, deniedScopes, canWrite, workspaces, choices } = choice;
  const { name, contents } = GROUP_LABELS[group as keyof typeof GROUP_LABELS];
  const isAvailable = (scope: Scope) => requestedScopes.includes(scope) && !deniedScopes.includes(scope);
  const canRead = reads.some(isAvailable);
  const canChange = canWrite && writes.some(isAvailable);
  if (!canRead && !canChange)
    return [...reads, ...writes].some((scope) => requestedScopes.includes(scope))
      ? [
          html`<label class="choice muted"><input type="checkbox" disabled><span>${name}<small>Not included in ${workspaces.length > 1 ? 'these keys' : 'this key'}.</small></span></label>`,
        ]
      : [];
  const description = canRead
    ? `${contents}${canWrite && !canChange ? ' (read-only)' : ''}.`
    : 'This key can’t read these, but may be able to change them.';
  // With one workspace, the scopes that its key lacks are those of the whole sign-in.
  const lacking = workspaces.filter((item) => reads.some((scope) => item.deniedScopes.includes(scope)));
  const exceptions =
    canRead && lacking.length > 0
      ? ` Not readable with the key of ${lacking.map((item) => item.name).join(', ')}.`
      : '';
  return [
    html`<label class="choice"><input type="checkbox" name="group" value="${group}"${check(choices?.groups.includes(group) ?? canRead)}><span>${name}<small>${description}${exceptions}</small></span></label>`,
  ];
}

const check = (isChecked: boolean) => (isChecked ? html` checked` : '');

function renderPermissionsFieldset({ choices }: ConsentChoice): Html {
  const readOnly = choices?.readOnly ?? false;
  return html`<fieldset><legend>Permissions</legend>
<label class="choice"><input type="radio" name="changes" value="yes"${check(!readOnly)}><span>Read and write<small>Create, edit, send and delete, within the key’s scopes.</small></span></label>
<label class="choice"><input type="radio" name="changes" value="no"${check(readOnly)}><span>Read only<small>The app can’t change anything.</small></span></label>
</fieldset>`;
}

const IRREVERSIBLE_LABEL = [
  'Ask before irreversible actions',
  'Before the app sends or deletes anything, or gives others more access.',
] as const;
const CONFIRM_LABELS: Readonly<Record<ConfirmMode, readonly [string, string]>> = {
  auto: IRREVERSIBLE_LABEL,
  unattended: IRREVERSIBLE_LABEL,
  always: ['Ask before every change', 'Also before the app creates or edits anything.'],
  off: ['Never ask', 'The app sends and deletes without asking.'],
};

/** Modes that a person can choose: never less strict than the operator's. */
export function getConfirmModes(minMode: ConfirmMode): readonly ConfirmMode[] {
  if (minMode === 'always') return ['always'];
  return minMode === 'off' ? ['auto', 'always', 'off'] : [minMode, 'always'];
}

function renderApprovalsFieldset({ confirm, choices }: ConsentChoice): Html {
  const modes = getConfirmModes(confirm);
  const chosen = modes.find((mode) => mode === choices?.confirm) ?? modes[0];
  const rows = modes.map((mode) => {
    const [name, more] = CONFIRM_LABELS[mode];
    return html`<label class="choice"><input type="radio" name="confirm" value="${mode}"${check(mode === chosen)}><span>${name}<small>${more}</small></span></label>`;
  });
  return html`<fieldset><legend>Approvals</legend>
${rows}
</fieldset>`;
}
