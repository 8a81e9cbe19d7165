/** The pages of a hosted server, each in each of its states. The snapshot holds what they say. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { expect, test } from 'vitest';
import { formatSize, renderUploadPage } from '../../../../mcp/hosted/file-transfer/upload-page.ts';
import type { UploadTicket } from '../../../../mcp/hosted/file-transfer/upload-tickets.ts';
import {
  describeRedirectTarget,
  getConfirmModes,
  renderConsentPage,
  renderSignInPage,
} from '../../../../mcp/hosted/pages/consent-page.ts';
import { renderGrantsKeyPage, renderGrantsPage } from '../../../../mcp/hosted/pages/grants-page.ts';
import { type HtmlPage, sendPage } from '../../../../mcp/pages/layout.ts';
import { renderConfirmationPage, renderDecisionPage } from '../../../../mcp/pages/render-confirmation-page.ts';

test.each([
  [undefined, /^default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; /],
  ['go()', /; script-src 'sha256-[^']+'; connect-src 'self'; form-action 'self'; /],
])('a page with the script %j sends its form only here, runs no other, is not cached', async (script, policy) => {
  const page: HtmlPage = { title: 'A', body: html`<p>b</p>`, ...(script === undefined ? {} : { script }) };
  const { headers } = await new Hono().get('/', (context) => sendPage(context, page)).request('/');
  expect(headers.get('content-security-policy')).toMatch(policy);
  expect(headers.get('content-security-policy')).toMatch(/; base-uri 'none'; frame-ancestors 'none'$/);
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });
});

test.each([
  ['auto', ['auto', 'always']],
  ['always', ['always']],
  ['off', ['auto', 'always', 'off']],
] as const)('if the server has the confirmation mode %s, no user can choose a weaker one', (least, modes) => {
  expect(getConfirmModes(least)).toEqual(modes);
});

const client = { id: 'c', name: 'A <b>', redirects: [], publishedBy: undefined };
const asker = { client, redirect: 'https://a.test/cb', cancel: 'https://a.test/cb?error=x', form: 'sealed' };

const consent = (more: Partial<Parameters<typeof renderConsentPage>[1]> = {}) =>
  renderConsentPage(asker, {
    groups: [
      { group: 'links', reads: ['links:read'], writes: ['links:write'] },
      { group: 'billing', reads: ['billing:read'], writes: [] },
    ],
    requestedScopes: ['links:read', 'links:write', 'billing:read'],
    deniedScopes: [],
    canWrite: true,
    confirm: 'auto',
    workspaces: [{ name: '', keyEnding: 'wxyz', deniedScopes: [] }],
    mayAddWorkspace: false,
    serviceHost: undefined,
    ...more,
  });

const note = { id: 'g1', client: 'App <x>', place: 'a.test', since: 0, usedAt: 86_400_000, scopes: [] };
const grants = [
  { ...note, readOnly: true },
  { ...note, id: 'g2', readOnly: false },
];

const undecided = { decision: undefined, isUsed: false, isWithdrawable: false };
const question = { tool: 't', grant: '', account: '', browser: '', ...undecided };
const confirmation = (args: Record<string, unknown>, about: Record<string, unknown> | undefined, appName?: string) =>
  renderConfirmationPage({ ...question, appName, headline: 'Deletes it.', notice: 'For ever.', args, about }, 'f');

const upload = (more: object = {}) => renderUploadPage({ secondsLeft: 600, ...more } as UploadTicket);
const attempt = (phase: string, more: object = {}) => upload({ attempt: { phase, ...more } });

const createPages = (): Readonly<Record<string, HtmlPage>> => ({
  'sign-in': renderSignInPage(asker, { host: 'mcp.test' }),
  'sign-in on the sandbox, for a published app, after a wrong key': renderSignInPage(
    { ...asker, client: { ...client, publishedBy: 'a.test' } },
    { host: 'mcp.test', problem: 'Wrong.', sandboxKey: 'sb_1' },
  ),
  consent: consent(),
  'consent without reading billing': consent({ deniedScopes: ['billing:read'] }),
  'consent without reading links': consent({ deniedScopes: ['links:read'] }),
  'consent without any scope': consent({ deniedScopes: ['links:read', 'links:write', 'billing:read'] }),
  'consent for an app that requests one scope': consent({ requestedScopes: ['links:read'] }),
  'consent for a read-only app': consent({ canWrite: false }),
  'consent after nothing was selected': consent({ problem: 'Tick one.' }),
  'consent if the server always asks': consent({ confirm: 'always' }),
  'consent if the server never asks': consent({ confirm: 'off' }),
  'grants, key': renderGrantsKeyPage(),
  'grants, key again': renderGrantsKeyPage({ problem: 'Too long ago.' }),
  grants: renderGrantsPage({ grants, session: 'v', isRevoked: false }),
  'grants after the last one was revoked': renderGrantsPage({ grants: [], session: 'v', isRevoked: true }),
  'confirmation without values': confirmation({}, undefined),
  'confirmation with the request and the current state': confirmation({ id: 'lnk_1' }, { name: 'Deck', size: 7 }),
  'confirmation with unimportant state only': confirmation({ id: 'lnk_1' }, { size: 7 }),
  'confirmation for an app with a long name': confirmation({}, undefined, ` ${'An\u202e\n app'.repeat(20)}`),
  declined: renderDecisionPage({ decision: 'declined', isUsed: false }),
  approved: renderDecisionPage({ decision: 'accepted', isUsed: false }),
  'approved and used': renderDecisionPage({ decision: 'accepted', isUsed: true }),
  'upload of a new document': upload(),
  'upload of a new version': upload({ documentId: 'doc_1', replacement: { text: 'Replace A' } }),
  'upload of a file with a name': upload({ name: 'Deck.pdf' }),
  'upload of a file with a name without an extension': upload({ name: 'Deck' }),
  'upload of an exact size': upload({ sizeBytes: 12 }),
  'upload in the last minute': upload({ secondsLeft: 20 }),
  'upload that failed': attempt('failed', { outcome: { message: 'Too large.', service_message: 'no <b>' } }),
  'upload that failed here': attempt('failed', { outcome: { message: 'Gone.' } }),
  'upload in progress': attempt('sending', { sentBytes: 1500, totalBytes: 3_000_000 }),
  'upload that is complete': attempt('done', { outcome: { size_bytes: 999 } }),
  'upload that is complete, of unknown size': attempt('done'),
  'upload with an unknown outcome': attempt('unknown'),
});

test('every page says what happened and what to do', async () => {
  const pages = Object.entries(createPages()).map(async ([state, { body }]) => `<!-- ${state} -->\n${await body}\n`);
  await expect((await Promise.all(pages)).join('\n')).toMatchFileSnapshot('../../../mcp/__snapshots__/pages.html');
});

test.each([
  ['https://a.test:8443/cb', 'a.test:8443'],
  ['http://localhost:1/cb', 'an app on this computer (http://localhost:1/cb)'],
  ['https://127.0.0.1/cb', 'an app on this computer (https://127.0.0.1/cb)'],
  ['com.example.app:/cb', 'an installed app (com.example.app:/cb)'],
])('a redirect to %s is described as %s', (redirect, words) => {
  expect(describeRedirectTarget(redirect)).toBe(words);
});

test.each([
  [0, '0 bytes'],
  [1000, '1.0 kB'],
  [2_500_000_000_000, '2500.0 GB'],
])('%i bytes read %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});
