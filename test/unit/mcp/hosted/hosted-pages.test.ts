/** The pages of a hosted server, each in each of its states. */

import { Hono } from 'hono';
import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';
import { formatSize, renderUploadPage } from '../../../../mcp/hosted/file-transfer/upload-page.ts';
import type { UploadTicket } from '../../../../mcp/hosted/file-transfer/upload-tickets.ts';
import type { OAuthClient } from '../../../../mcp/hosted/oauth/oauth-clients.ts';
import { isRegisteredRedirect } from '../../../../mcp/hosted/oauth/redirect-uri.ts';
import {
  describeRedirectTarget,
  getConfirmModes,
  renderConsentPage,
  renderSignInPage,
} from '../../../../mcp/hosted/pages/consent-page.ts';
import { renderGrantsKeyPage, renderGrantsPage } from '../../../../mcp/hosted/pages/grants-page.ts';
import { type HtmlPage, sendPage } from '../../../../mcp/pages/layout.ts';
import { renderConfirmationPage, renderDecisionPage } from '../../../../mcp/pages/render-confirmation-page.ts';
import type { Scope } from '../../../../src/index.ts';
import { texts } from '../../../mcp/texts.ts';

const textOf = async ({ body }: HtmlPage) => String(await body);
const client: OAuthClient = { id: 'c', name: 'A <b>', redirects: [], publishedBy: undefined };
const asker = { client, redirect: 'https://a.test/cb', cancel: 'https://a.test/cb?error=x', form: 'sealed' };

test.each([
  [undefined, /^default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; /],
  ['go()', /; script-src 'sha256-[^']+'; connect-src 'self'; form-action 'self'; /],
])(
  'a page with the script %j sends its form only to this server, runs no other script, and is not cached',
  async (script, policy) => {
    const page: HtmlPage = { title: 'A', body: html`<p>b</p>`, ...(script === undefined ? {} : { script }) };
    const app = new Hono().get('/', (context) => sendPage(context, page));
    const { headers } = await app.request('/');
    expect(headers.get('content-security-policy')).toMatch(policy);
    expect(headers.get('content-security-policy')).toMatch(/; base-uri 'none'; frame-ancestors 'none'$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  },
);

test.each([
  ['https://a.test:8443/cb', 'a.test:8443'],
  ['http://localhost:1/cb', texts.appComputerLocalhost1],
  ['https://127.0.0.1/cb', texts.appComputer1270],
  ['com.example.app:/cb', 'an installed app (com.example.app:/cb)'],
])('a redirect to %s is described as %s', (redirect, words) => {
  expect(describeRedirectTarget(redirect)).toBe(words);
});

test.each([
  ['auto', ['auto', 'always']],
  ['always', ['always']],
  ['off', ['auto', 'always', 'off']],
] as const)('if the server has the confirmation mode %s, no user can choose a weaker one', (least, modes) => {
  expect(getConfirmModes(least)).toEqual(modes);
});

describe('the sign-in page', () => {
  test('names the app, warns that the name is not verified, and shows the problem with the last key', async () => {
    const plain = await textOf(renderSignInPage(asker, { host: 'mcp.test' }));
    expect(plain).toContain('A &lt;b&gt;');
    expect(plain).toContain('Not verified.');
    expect(plain).not.toContain('role="alert"');
    expect(plain).not.toContain('sandbox');
    const again = await textOf(
      renderSignInPage(
        { ...asker, client: { ...client, publishedBy: 'a.test' } },
        { host: 'mcp.test', problem: 'Wrong.', sandboxKey: 'sb_1' },
      ),
    );
    expect(again).toContain('Published by <strong>a.test</strong>');
    expect(again).toMatch(/role="alert" id="problem">Wrong\.</);
    expect(again).toContain('aria-invalid="true"');
    expect(again).toContain('Its key: <code>sb_1</code>');
  });
});

describe('the consent page', () => {
  const links = { group: 'links', reads: ['links:read'], writes: ['links:write'] } as const;
  const billing = { group: 'billing', reads: ['billing:read'], writes: [] } as const;
  const page = (more: Partial<Parameters<typeof renderConsentPage>[1]> = {}) =>
    textOf(
      renderConsentPage(asker, {
        groups: [links, billing] as never,
        requestedScopes: ['links:read', 'links:write', 'billing:read'] as Scope[],
        deniedScopes: [],
        canWrite: true,
        confirm: 'auto',
        workspaces: [{ name: '', keyEnding: 'wxyz', deniedScopes: [] }],
        mayAddWorkspace: false,
        serviceHost: undefined,
        ...more,
      }),
    );
  test('selects the groups that the key can read, and offers changes', async () => {
    const text = await page();
    expect(text).toContain('Key accepted');
    expect(text).toContain('value="links" checked>');
    expect(text).toContain(texts.whoOpenWhichDocument);
    expect(text).toContain(texts.planSeatsUsageInvoices);
    expect(text).toContain('Read and write');
    expect(text).not.toContain('role="alert"');
  });
  test.each<[string, Parameters<typeof page>[0], string, string]>([
    ['disables the groups that the key cannot read', { deniedScopes: ['billing:read'] }, 'disabled', 'value="billing"'],
    [
      'does not select a group that the key can only change',
      { deniedScopes: ['links:read'] },
      texts.keyCantReadThese,
      'value="links" checked',
    ],
    ['omits the scopes that were not requested', { requestedScopes: ['links:read'] }, 'Share links', 'Billing'],
    ['offers no changes to a read-only app', { canWrite: false }, 'Plan, seats', 'Read and write'],
    ['shows the problem', { problem: 'Tick one.' }, 'role="alert" id="problem">Tick one.', 'none-such'],
    [
      "offers no weaker confirmation mode than the server's",
      { confirm: 'always' },
      texts.askBeforeEveryChange,
      'Never ask',
    ],
    ['offers to never ask if the server does', { confirm: 'off' }, 'Never ask', 'none-such'],
    [
      'offers no group for a key without scopes',
      { deniedScopes: ['links:read', 'billing:read', 'links:write'] },
      texts.notIncludedInThisKey,
      'name="group"',
    ],
  ])('%s', async (_, more, shown, hidden) => {
    const text = await page(more);
    expect(text).toContain(shown);
    expect(text).not.toContain(hidden);
  });
});

describe('the page of connected apps', () => {
  const note = { id: 'g1', client: 'App <x>', place: 'a.test', since: 0, usedAt: 86_400_000 };
  test('asks for the key, and says why it asks again', async () => {
    expect(await textOf(renderGrantsKeyPage())).not.toContain('role="alert"');
    expect(await textOf(renderGrantsKeyPage({ problem: 'Too long ago.' }))).toContain(
      'role="alert" id="problem">Too long ago.<',
    );
  });
  test('lists each app with its access and last use', async () => {
    const notes = [
      { ...note, readOnly: true },
      { ...note, id: 'g2', readOnly: false },
    ] as never;
    const text = await textOf(renderGrantsPage({ grants: notes, session: 'v', isRevoked: false }));
    expect(text).toContain('App &lt;x&gt;');
    expect(text).toContain('Read only · Signed in 1970-01-01 00:00 UTC · Last used 1970-01-02 00:00 UTC');
    expect(text).toContain('Read and write · Signed in 1970-01-01');
    expect(text).toMatch(/name="end" value="g2"/);
    expect(text).not.toContain('role="status"');
  });
  test('says that no app is left, and that one was revoked', async () => {
    const text = await textOf(renderGrantsPage({ grants: [], session: 'v', isRevoked: true }));
    expect(text).toContain(texts.noAppUsesThisKey);
    expect(text).toContain('Access revoked.');
  });
});

describe('the confirmation page', () => {
  const question = { tool: 't', grant: '', account: '', browser: '', decision: undefined, isUsed: false };
  test('shows the action, the request and the current state, the important fields first', async () => {
    const args = { id: 'lnk_1' };
    const bare = await textOf(
      renderConfirmationPage(
        { ...question, headline: 'Deletes it.', notice: 'For ever.', args: {}, about: undefined },
        'f',
      ),
    );
    expect(bare).toContain('An app that uses your API key</bdi></strong> wants to deletes it.');
    expect(bare).toContain('<p>For ever.</p>');
    expect(bare).not.toContain('<h2>Request</h2>');
    expect(bare).not.toContain('<h2>Current state</h2>');
    const told = await textOf(
      renderConfirmationPage({ ...question, headline: 'x', args, about: { name: 'Deck', size: 7 } }, 'f'),
    );
    expect(told).toContain('<h2>Request</h2>');
    expect(told).toContain('lnk_1');
    expect(told).toMatch(/Deck[\s\S]*<details>[\s\S]*7/);
    const plain = await textOf(renderConfirmationPage({ ...question, headline: 'x', args, about: { size: 7 } }, 'f'));
    expect(plain).toContain('<h2>Current state</h2>');
    expect(plain).not.toContain('<details>');
  });
  test.each([
    ['declined', false, 'Nothing was changed.'],
    ['accepted', false, texts.tellTheAssistantToContinue],
    ['accepted', true, texts.appUsedYourApproval],
  ] as const)('shows the next step after the decision %s (used: %s)', async (word, isUsed, words) => {
    expect(await textOf(renderDecisionPage({ decision: word, isUsed }))).toContain(words);
  });
});

describe('the upload page', () => {
  const hand = (more: Partial<UploadTicket>) => textOf(renderUploadPage({ secondsLeft: 600, ...more } as UploadTicket));
  test.each<[string, Partial<UploadTicket>, string, string]>([
    ['a new document', {}, 'a new document', 'accept='],
    ['a new version', { documentId: 'doc_1', replacement: 'Replace A' }, 'Replace A', 'a new document'],
    ['a file with a given name', { name: 'Deck.pdf' }, 'accept=".pdf"', 'none-such'],
    ['a name without an extension', { name: 'Deck' }, 'Deck', 'accept='],
    ['any size', {}, 'up to ', 'exactly'],
    ['an exact size', { sizeBytes: 12 }, 'exactly 12 bytes', 'up to '],
    ['a ticket that expires in ten minutes', {}, 'in 10 minutes', 'none-such'],
    ['a ticket in its last minute', { secondsLeft: 20 }, 'in 1 minute,', 'minutes,'],
    ['a first attempt', {}, 'Upload a file', 'role="alert"'],
    [
      'a failed attempt',
      { attempt: { phase: 'failed', outcome: { message: 'Too large.', service_message: 'no <b>' } } as never },
      'Upload failed. Too large.',
      'no <b>',
    ],
    [
      'a failed attempt without a message of the service',
      { attempt: { phase: 'failed', outcome: { message: 'Gone.' } } as never },
      'Gone.',
      'Docshare’s message',
    ],
    [
      'a file that is being sent',
      { attempt: { phase: 'sending', sentBytes: 1500, totalBytes: 3_000_000 } as never },
      '1.5 kB of 3.0 MB',
      '<form',
    ],
    [
      texts.oneThatIsThere,
      { attempt: { phase: 'done', outcome: { size_bytes: 999 } } as never },
      'Upload complete (999 bytes)',
      '<form',
    ],
    ['a stored file of unknown size', { attempt: { phase: 'done' } as never }, 'Upload complete<', '<form'],
    ['a file whose outcome is unknown', { attempt: { phase: 'unknown' } as never }, 'Upload not confirmed', '<form'],
  ])('is rendered for %s', async (_, more, shown, hidden) => {
    const text = await hand(more);
    expect(text).toContain(shown);
    expect(text).not.toContain(hidden);
  });
  test.each([
    [0, '0 bytes'],
    [1000, '1.0 kB'],
    [2_500_000_000_000, '2500.0 GB'],
  ])('shows %i bytes as %s', (bytes, words) => {
    expect(formatSize(bytes)).toBe(words);
  });
});

test('a localhost redirect with an invalid port is rejected', () => {
  const registered = ['http://localhost/cb'];
  expect(isRegisteredRedirect('http://localhost:65535/cb', registered)).toBe(true);
  expect(isRegisteredRedirect('http://localhost:99999/cb', registered)).toBe(false);
});
