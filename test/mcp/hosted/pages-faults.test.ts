/** Tests each page of a hosted server with each fault: what the user sees, what is kept, and what works afterwards. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { authorizePath, CALLBACK, createPkce, redeemCode, registerHost } from '../../support/hosted-oauth.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import type { Json } from '../../support/mcp-host.ts';
import { openBrowser, PATIENCE_MS } from '../../support/open-browser.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let laterMs = 0;
const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(
  openHostedInProcess({ baseUrl: sandbox.url, args: ['--trust-proxy', '1'], now: () => Date.now() + laterMs }),
);
const browser = await closeAfterAll(openBrowser());
const key = sandbox.key();
let count = 0;

async function openTab(options: BrowserContextOptions = {}): Promise<Page> {
  // Attempts with a key are limited per address.
  const extraHTTPHeaders = { 'x-forwarded-for': `10.0.0.${++count}` };
  const context = await browser.newContext({ extraHTTPHeaders, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.route(`${CALLBACK}*`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Signed in</h1>' }),
  );
  return context.newPage();
}

async function beginSignIn(page: Page) {
  const client = await registerHost(server.url, { client_name: 'Claude' });
  const { verifier, challenge } = createPkce();
  await page.goto(server.url + authorizePath(client, { code_challenge: challenge }));
  return { client, verifier };
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const enterKey = (page: Page, value = key) => page.getByLabel('Your API key').fill(value);
async function openConsent(page: Page) {
  const begun = await beginSignIn(page);
  await enterKey(page);
  await press(page, 'Continue');
  await page.getByText('Key accepted').waitFor();
  return begun;
}

/** Signs in, and gives the browser's cookies and a host that uses the grant. */
async function signIn() {
  const page = await openTab();
  const { client, verifier } = await openConsent(page);
  await press(page, 'Allow');
  await page.waitForURL(`${CALLBACK}*`);
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const { body } = await redeemCode(server.url, client, { code, verifier });
  const storageState = await page.context().storageState();
  await page.context().close();
  return { storageState, token: String(body['access_token']) };
}

const { storageState, token } = await signIn();
const host = await closeAfterAll(openRemote({ kind: 'sdk 2.x modern', url: new URL(`${server.url}/mcp`), token }));
const { items } = (await host.call('list_agreements', { limit: 50 })).data as {
  items: { id: string; status: string }[];
};
const urlOf = async (field: string, tool: string, args: Json) => String((await host.call(tool, args)).data[field]);
const confirmUrl = () => urlOf('confirm_url', 'delete_link', { id: `link ${++count}` });
const uploadUrl = () => urlOf('upload_url', 'upload_document', { name: `Deck ${++count}` });
const downloadUrl = () =>
  urlOf('url', 'download_agreement', { id: items.find(({ status }) => /signed|completed/.test(status))?.id });
const goTo = (getUrl: () => Promise<string>) => async (page: Page) => void (await page.goto(await getUrl()));
const hasHeading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).waitFor();
const noInput = async (): Promise<void> => undefined;

async function openGrants(page: Page) {
  await page.goto(`${server.url}/grants`);
  await enterKey(page);
  await press(page, 'Show apps');
  await page.locator('.list').waitFor();
}

interface PageCase {
  readonly open: (page: Page) => Promise<unknown>;
  readonly fill: (page: Page) => Promise<unknown>;
  readonly button: string | RegExp;
  readonly done: (page: Page) => Promise<unknown>;
  /** A browser without a sign-in. */
  readonly isStranger?: boolean;
}

/** Pages with a form: how to open them, what to fill in, and the result. */
const PAGES: Readonly<Record<string, PageCase>> = {
  'sign-in': {
    open: beginSignIn,
    fill: (page) => enterKey(page),
    button: 'Continue',
    done: hasHeading(/can Claude access/),
  },
  consent: {
    open: openConsent,
    fill: (page) => page.getByRole('checkbox', { name: /^Documents/ }).uncheck(),
    button: 'Allow',
    done: hasHeading('Signed in'),
  },
  'another workspace': {
    open: async (page) => {
      await openConsent(page);
      await press(page, 'Add another workspace');
      await hasHeading('Add another workspace')(page);
    },
    fill: async (page) => {
      await page.getByLabel('Name of the workspace').fill('acme');
      await page.getByLabel('Name of the new workspace').fill('beta');
      await page.getByLabel('API key of the new workspace').fill(sandbox.key());
    },
    button: 'Add workspace',
    done: (page) => page.getByText('2 workspaces').waitFor(),
  },
  'grants, key': {
    open: (page) => page.goto(`${server.url}/grants`),
    fill: (page) => enterKey(page),
    button: 'Show apps',
    done: (page) => page.locator('.list').waitFor(),
  },
  grants: {
    open: async (page) => {
      await signIn();
      await openGrants(page);
    },
    fill: noInput,
    // The latest sign-in is first.
    button: /^Revoke/,
    done: (page) => page.getByText('Access revoked').waitFor(),
  },
  confirmation: { open: goTo(confirmUrl), fill: noInput, button: 'Approve', done: hasHeading('Approved') },
  'confirmation, key': {
    open: goTo(confirmUrl),
    fill: (page) => enterKey(page),
    button: 'Show request',
    done: hasHeading('Approve this action?'),
    isStranger: true,
  },
  denied: {
    open: async (page) => {
      await page.goto(await confirmUrl());
      await press(page, 'Deny');
      await page.getByRole('heading', { name: 'Denied' }).waitFor();
    },
    fill: noInput,
    button: /Review/,
    done: hasHeading('Approve this action?'),
  },
  upload: {
    open: goTo(uploadUrl),
    fill: (page) =>
      page
        .getByLabel('Drop a file')
        .setInputFiles({ name: 'a.bin', mimeType: 'text/plain', buffer: Buffer.alloc(9, 'x') }),
    button: 'Upload',
    done: hasHeading('Upload complete'),
  },
  download: {
    open: goTo(downloadUrl),
    fill: noInput,
    button: 'Download',
    done: (page) => page.getByText('The download has started').waitFor(),
  },
};

async function openPage(name: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { open, isStranger = false } = PAGES[name] as PageCase;
  const page = await openTab({ ...(isStranger ? {} : { storageState }), ...options });
  onTestFinished(() => page.context().close());
  await open(page);
  return page;
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  // Bypasses the policy of the page, which allows only its own script.
  const { violations } = (await page.evaluate(`${axe}; axe.run({ resultTypes: ['violations'] })`)) as {
    violations: { id: string }[];
  };
  expect(violations.map(({ id }) => id)).toEqual([]);
}

const LIGHT = { viewport: { width: 1280, height: 850 }, colorScheme: 'light' } as const;
const DARK_PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

/** Connection faults, the message of the page, and how each ends. */
const FAULTS = [
  {
    says: /^Connection lost/,
    begin: async (page: Page) => {
      await page.context().setOffline(true);
      return () => page.context().setOffline(false);
    },
  },
  {
    says: /^The server is temporarily unavailable/,
    begin: async (page: Page) => {
      await page.route(`${server.url}/**`, (route) => route.fulfill({ status: 503, body: 'busy' }));
      return () => page.unroute(`${server.url}/**`);
    },
  },
];

test.each(Object.entries(PAGES))('%s: keyboard, then offline, busy and slow', async (name, { fill, button, done }) => {
  const page = await openPage(name, count % 2 === 0 ? LIGHT : DARK_PHONE);
  const target = page.getByRole('button', { name: button }).first();
  await expectAccessible(page);
  await tabTo(page, target);
  await fill(page);
  for (const { begin, says } of FAULTS) {
    const end = await begin(page);
    await target.press('Enter');
    await page.getByText(says).waitFor();
    await end();
  }
  await expectAccessible(page);
  const answered = Promise.withResolvers<void>();
  let sent = 0;
  await page.route(`${server.url}/**`, async (route) => {
    if (['POST', 'PUT'].includes(route.request().method())) sent++;
    await answered.promise;
    await route.continue();
  });
  await target.dblclick();
  await expect.poll(() => target.getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(page);
  answered.resolve();
  await done(page);
  await expect.poll(() => sent).toBe(1);
});

/** Every focused element is in the page's content and visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const isFocused = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 25 && !(await isFocused()); presses++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const { outlineStyle } = getComputedStyle(document.activeElement as Element);
      return { isContent: document.activeElement?.closest('main') !== null, isSeen: outlineStyle !== 'none' };
    });
    expect(stop).toEqual({ isContent: true, isSeen: true });
  }
  expect(await isFocused()).toBe(true);
}

const isFocusedKeyField = (page: Page) => page.locator('#api_key:focus[aria-invalid=true]').waitFor();

/** Expired, used and foreign pages: how to open them, and their message. */
const ENDS: Readonly<
  Record<string, { page: string; act: (page: Page) => Promise<unknown>; ends: (page: Page) => Promise<unknown> }>
> = {
  'sign-in, wrong key': {
    page: 'sign-in',
    act: (page) => enterKey(page, 'wrong').then(() => press(page, 'Continue')),
    ends: isFocusedKeyField,
  },
  'consent, nothing selected': {
    page: 'consent',
    act: (page) => press(page, 'Select none').then(() => press(page, 'Allow')),
    ends: (page) => page.getByRole('alert').filter({ hasText: 'Select at least one' }).waitFor(),
  },
  'consent, after two hours': {
    page: 'consent',
    act: (page) => later(120, () => press(page, 'Allow'), hasHeading('This page has expired'), page),
    ends: hasHeading('This page has expired'),
  },
  'consent, other browser': {
    page: 'consent',
    act: async (page) => {
      await page.context().clearCookies();
      await press(page, 'Allow');
    },
    ends: hasHeading('This page has expired'),
  },
  'grants, wrong key': {
    page: 'grants, key',
    act: (page) => enterKey(page, 'wrong').then(() => press(page, 'Show apps')),
    ends: isFocusedKeyField,
  },
  'grants, after an hour': {
    page: 'grants',
    act: (page) => later(60, () => press(page, /^Revoke/), isFocusedKeyField, page),
    ends: isFocusedKeyField,
  },
  'confirmation, wrong key': {
    page: 'confirmation, key',
    act: (page) => enterKey(page, 'wrong').then(() => press(page, 'Show request')),
    ends: isFocusedKeyField,
  },
  'confirmation, after 11 minutes': {
    page: 'confirmation',
    act: (page) => later(11, () => press(page, 'Approve'), hasHeading('This request has expired'), page),
    ends: (page) => page.getByText('If you didn’t approve this one, it changed nothing.').waitFor(),
  },
  'upload, after 11 minutes': {
    page: 'upload',
    act: async (page) => {
      await PAGES['upload']?.fill(page);
      await later(11, () => press(page, 'Upload'), hasHeading('Link expired'), page);
    },
    ends: hasHeading('Link expired'),
  },
  'download, used': {
    page: 'download',
    act: async (page) => {
      const downloaded = page.waitForEvent('download');
      await press(page, 'Download');
      await downloaded;
      await page.reload();
    },
    ends: hasHeading('Link expired'),
  },
  'confirmation, reloaded': {
    page: 'confirmation',
    act: async (page) => {
      await press(page, 'Approve');
      await page.getByRole('heading', { name: 'Approved' }).waitFor();
      await page.reload();
    },
    ends: hasHeading('Approved'),
  },
  'unknown app': {
    page: 'sign-in',
    act: (page) => page.goto(`${server.url}/authorize?client_id=x&redirect_uri=${CALLBACK}`),
    ends: hasHeading('Unknown app'),
  },
  'no such page': {
    page: 'sign-in',
    act: (page) => page.goto(`${server.url}/nothing`),
    ends: (page) => page.getByRole('link', { name: 'About this server' }).waitFor(),
  },
  home: { page: 'sign-in', act: (page) => page.goto(server.url), ends: hasHeading('Docshare for AI assistants') },
};

/** Runs an action while the server's clock is ahead. */
async function later(
  minutes: number,
  act: () => Promise<unknown>,
  until: (page: Page) => Promise<unknown>,
  page: Page,
): Promise<void> {
  laterMs = minutes * 60_000;
  try {
    await act();
    await until(page);
  } finally {
    laterMs = 0;
  }
}

test.each(Object.entries(ENDS))('%s: the page says what happened', async (_, { page: name, act, ends }) => {
  const page = await openPage(name, DARK_PHONE);
  await act(page);
  await ends(page);
  await expectAccessible(page);
});
