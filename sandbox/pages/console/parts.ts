import { html } from 'hono/html';
import { SCOPES } from '../../../src/scopes.ts';
import type { Doors } from '../../http/exchange.ts';
import { formatProfile } from '../../profile/choose-profile.ts';
import { PRESETS, PROFILE_NAMES } from '../../profile/presets.ts';
import { SWITCH_NAMES, SWITCHES } from '../../profile/switches.ts';
import type { KeyRecord } from '../../state/records.ts';
import type { Markup } from '../document-page.ts';
import { getShellCommands } from './commands.ts';
import { storedTables } from './stored-tables.ts';

const SHOWN_KEYS = 8;

/** The parts of the page that change by themselves, by the id of the element that holds each. */
export const PARTS: Readonly<Record<string, (doors: Doors) => Markup>> = {
  'first-steps': firstSteps,
  stored: storedTables,
  'key-list': keyList,
  'profile-now': profileNow,
  'fault-list': faultList,
  'clock-now': ({ service }) => {
    const iso = new Date(service.clock.now()).toISOString();
    return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
  },
};

/** Three lines that lead to something to look at; the commands work as they stand. */
function firstSteps({ service }: Doors): Markup {
  const { list, share } = getShellCommands(service);
  return html`<ol class="steps"><li>Ask for the documents:${list ? copyable(list, 'the first command') : html` make a key first, under “Address and keys”.`}</li>
<li>Share one:${share ? copyable(share, 'the second command') : html` store one first, with <code>POST /documents</code>.`}</li>
<li>Open the new link below as a visitor, read, and watch the visit and its events come in.</li></ol>`;
}

export function copyable(text: string, name: string): Markup {
  return html`<div class="copy"><code title="${text}">${text}</code><button type="button" data-copy="${text}" aria-label="Copy ${name}">Copy</button></div>`;
}

function keyList({ service }: Doors): Markup {
  const keys = service.keys.all().filter(({ revoked }) => !revoked);
  if (keys.length === 0) return html`<p class="muted">There is no key yet. Make one to call the API.</p>`;
  const older = keys.length - SHOWN_KEYS;
  return html`${keys.slice(-SHOWN_KEYS).reverse().map(keyRow)}
${older > 0 ? html`<p class="muted small">${older} older keys are not shown.</p>` : ''}`;
}

function keyRow(record: KeyRecord): Markup {
  const { key, fingerprint, scopes } = record;
  const names = [...scopes].join(', ');
  const all = scopes.size === SCOPES.length;
  return html`<div class="key" role="group" aria-label="${fingerprint}">${copyable(key, `key ${fingerprint}`)}
<div class="row"><span class="muted small" title="${names}">${all ? `all ${scopes.size} scopes` : scopes.size === 1 ? names : `${scopes.size} scopes`}</span>
${keyButton('rotate', record)}${keyButton('revoke', record)}</div></div>`;
}

function keyButton(act: 'rotate' | 'revoke', { key, fingerprint }: KeyRecord): Markup {
  const [label, done] = act === 'rotate' ? ['Rotate', 'Replaced'] : ['Revoke', 'Revoked'];
  return html`<form data-act="POST /keys/${act}" data-done="${done} ${fingerprint}"><input type="hidden" name="key" value="${key}"><button id="${act}-${fingerprint}">${label}</button></form>`;
}

/** The nearest preset, the profile in one line, and every switch as it stands. */
function profileNow({ service }: Doors): Markup {
  const { profile, learned } = service;
  const line = formatProfile(profile);
  const near = PROFILE_NAMES.find((name) => line === `preset:${name}` || line.startsWith(`preset:${name}+`));
  const said = learned
    ? html`<p id="learned">Plays the service that was learned from <b>${new URL(learned.service).origin}</b> on ${learned.learned.at.slice(0, 10)}. The switches nearest to it:</p>`
    : '';
  return html`${said}${copyable(line, 'the profile line')}
<form data-act="PUT /profile" data-done="The service answers by this profile now" class="row"><label for="preset">Preset<select id="preset" name="profile">
${PROFILE_NAMES.map((name) => html`<option value="preset:${name}" ${name === near ? 'selected' : ''}>${name} (${Object.keys(PRESETS[name]).length || 'no'} changes)</option>`)}
</select></label><button id="use-preset">Use</button></form>
<form data-act="PUT /profile" data-done="The service answers by this profile now" class="row">
<label for="line">In one line<input id="line" name="profile" value="" placeholder="random:42+ids=uuid" autocomplete="off" spellcheck="false" required></label><button id="use-line">Use</button></form>
<details id="all-switches"><summary>All ${SWITCH_NAMES.length} switches</summary>
<form data-act="PUT /profile" data-within="profile" data-done="The service answers by these switches now"><div class="switches" tabindex="0" role="group" aria-label="Switches">${SWITCH_NAMES.map(
    (name) => {
      const { section, decides, settings } = SWITCHES[name];
      return html`<label for="switch-${name}">${name}<small>${section}: ${decides}</small><select id="switch-${name}" name="${name}">
${(settings as readonly string[]).map((setting) => html`<option ${setting === profile[name] ? 'selected' : ''}>${setting}</option>`)}
</select></label>`;
    },
  )}</div><button id="use-switches">Use these</button></form></details>`;
}

function faultList({ faults }: Doors): Markup {
  const rules = faults.rules();
  if (rules.length === 0) return html`<p class="muted">None: every request is answered as it should be.</p>`;
  return html`<ul class="plain">${rules.map((rule) => html`<li><code>${JSON.stringify(rule)}</code></li>`)}</ul>
<form data-act="DELETE /faults" data-done="Cleared all faults"><button id="clear-faults">Clear all</button></form>`;
}
