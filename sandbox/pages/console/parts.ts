import { html } from 'hono/html';
import { SCOPES } from '../../../src/scopes.ts';
import { BASE_PATH } from '../../base/base-path.ts';
import { PRESETS, PROFILE_NAMES } from '../../profile/presets.ts';
import { formatProfile } from '../../profile/resolve-profile.ts';
import { SWITCH_NAMES, SWITCHES } from '../../profile/switches.ts';
import type { RouteDependencies } from '../../server/exchange.ts';
import type { KeyRecord } from '../../state/records.ts';
import type { Service } from '../../state/service.ts';
import type { Markup } from '../layout/page-layout.ts';
import { renderStoredTables } from './tables.ts';

const MAX_KEYS = 8;

/** The parts of the console that update, by element id. */
export const CONSOLE_PARTS: Readonly<Record<string, (dependencies: RouteDependencies) => Markup>> = {
  'first-steps': renderFirstSteps,
  stored: renderStoredTables,
  'key-list': renderKeys,
  'profile-now': renderProfile,
  'fault-list': renderFaults,
  'clock-now': ({ service }) => {
    const iso = new Date(service.clock.now()).toISOString();
    return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
  },
};

function renderFirstSteps({ service }: RouteDependencies): Markup {
  const { list, share } = getShellCommands(service);
  return html`<ol class="steps"><li>List the documents:${list ? renderCopyable(list, 'the first command') : html` create a key first, under “Base URL and keys”.`}</li>
<li>Share a document:${share ? renderCopyable(share, 'the second command') : html` upload one first, with <code>POST /documents</code>.`}</li>
<li>Open the new link below as a visitor, read some pages, and watch the visit and its events arrive.</li></ol>`;
}

export function renderCopyable(text: string, name: string): Markup {
  return html`<div class="copy"><code title="${text}">${text}</code><button type="button" data-copy="${text}" aria-label="Copy ${name}">Copy</button></div>`;
}

function renderKeys({ service }: RouteDependencies): Markup {
  const keys = service.keys.all().filter(({ revoked }) => !revoked);
  if (keys.length === 0) return html`<p class="muted">No keys. Create one to call the API.</p>`;
  const older = keys.length - MAX_KEYS;
  return html`${keys.slice(-MAX_KEYS).reverse().map(renderKey)}
${older > 0 ? html`<p class="muted small">${older} older keys are not shown.</p>` : ''}`;
}

function renderKey(record: KeyRecord): Markup {
  const { key, fingerprint, scopes } = record;
  const names = [...scopes].join(', ');
  const hasAllScopes = scopes.size === SCOPES.length;
  return html`<div class="key" role="group" aria-label="${fingerprint}">${renderCopyable(key, `key ${fingerprint}`)}
<div class="row"><span class="muted small" title="${names}">${hasAllScopes ? `all ${scopes.size} scopes` : scopes.size === 1 ? names : `${scopes.size} scopes`}</span>
${renderKeyButton('rotate', record)}${renderKeyButton('revoke', record)}</div></div>`;
}

function renderKeyButton(action: 'rotate' | 'revoke', { key, fingerprint }: KeyRecord): Markup {
  const [label, doneText] = action === 'rotate' ? ['Rotate', 'Rotated'] : ['Revoke', 'Revoked'];
  return html`<form data-act="POST /keys/${action}" data-done="${doneText} ${fingerprint}"><input type="hidden" name="key" value="${key}"><button id="${action}-${fingerprint}">${label}</button></form>`;
}

/** Renders the closest preset, the profile string and every switch. */
function renderProfile({ service }: RouteDependencies): Markup {
  const { profile, serviceProfile } = service;
  const line = formatProfile(profile);
  const preset = PROFILE_NAMES.find((name) => line === `preset:${name}` || line.startsWith(`preset:${name}+`));
  const learnedNote = serviceProfile
    ? html`<p id="learned">Emulates the service learned from <b>${new URL(serviceProfile.service).origin}</b> on ${serviceProfile.learned.at.slice(0, 10)}. The closest switches:</p>`
    : '';
  return html`${learnedNote}${renderCopyable(line, 'the profile string')}
<form data-act="PUT /profile" data-done="Profile changed" class="row"><label for="preset">Preset<select id="preset" name="profile">
${PROFILE_NAMES.map((name) => html`<option value="preset:${name}" ${name === preset ? 'selected' : ''}>${name} (${Object.keys(PRESETS[name]).length || 'no'} changes)</option>`)}
</select></label><button id="use-preset">Use</button></form>
<form data-act="PUT /profile" data-done="Profile changed" class="row">
<label for="line">Profile string<input id="line" name="profile" value="" placeholder="random:42+ids=uuid" autocomplete="off" spellcheck="false" required></label><button id="use-line">Use</button></form>
<details id="all-switches"><summary>All ${SWITCH_NAMES.length} switches</summary>
<form data-act="PUT /profile" data-within="profile" data-done="Switches changed"><div class="switches" tabindex="0" role="group" aria-label="Switches">${SWITCH_NAMES.map(
    (name) => {
      const { section, decides, settings } = SWITCHES[name];
      return html`<label for="switch-${name}">${name}<small>${section}: ${decides}</small><select id="switch-${name}" name="${name}">
${(settings as readonly string[]).map((setting) => html`<option ${setting === profile[name] ? 'selected' : ''}>${setting}</option>`)}
</select></label>`;
    },
  )}</div><button id="use-switches">Use these switches</button></form></details>`;
}

function renderFaults({ faults }: RouteDependencies): Markup {
  const rules = faults.rules();
  if (rules.length === 0) return html`<p class="muted">No faults. All requests get normal responses.</p>`;
  return html`<ul class="plain">${rules.map((rule) => html`<li><code>${JSON.stringify(rule)}</code></li>`)}</ul>
<form data-act="DELETE /faults" data-done="Faults cleared"><button id="clear-faults">Clear all</button></form>`;
}

/** Returns shell commands to try; null without a key or document. */
function getShellCommands(service: Service): { list: string | null; share: string | null } {
  const key = service.keys.all().findLast(({ revoked }) => !revoked)?.key;
  const document = [...service.state.documents.keys()].at(-1);
  if (key === undefined) return { list: null, share: null };
  const createCurl = (path: string) =>
    `curl -sS -H ${quoteForShell(`Authorization: Bearer ${key}`)} ${quoteForShell(service.origin + BASE_PATH + path)}`;
  const body = JSON.stringify({ document_id: document });
  const share = `${createCurl('/links')} -H ${quoteForShell('Content-Type: application/json')} -d ${quoteForShell(body)}`;
  return { list: createCurl('/documents'), share: document === undefined ? null : share };
}

/** Quotes an id, which may contain anything. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
