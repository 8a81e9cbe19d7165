import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { callAt, toolNamesAt } from '../../support/hosted-calls.ts';
import { authorizePath, createPkce, redeemCode, registerHost } from '../../support/hosted-oauth.ts';
import { openHostedProcess } from '../../support/hosted-server.ts';
import { openBrowser, openPage } from '../../support/open-browser.ts';
import { texts } from '../texts.ts';

/** Requests that the host's callback received. */
const heard: URL[] = [];

afterAll(() => host.closeAllConnections());
const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(openHostedProcess({ baseUrl: sandbox.url }));
const host = await closeAfterAll(
  createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/callback') heard.push(url);
    // Hosts redirect further, to another origin and to schemes of their programs.
    if (url.pathname === '/callback') response.writeHead(302, { location: `http://localhost:${port}/done` });
    else if (url.pathname === '/frame') {
      response.setHeader('content-type', 'text/html');
      response.write(`<iframe src="${server.url}/authorize"></iframe><iframe src="${server.url}/"></iframe>`);
    }
    response.end(url.pathname === '/done' ? 'signed in' : undefined);
  }),
);
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
const port = (host.address() as AddressInfo).port;
const callback = `http://127.0.0.1:${port}/callback`;
const browser = await closeAfterAll(openBrowser());

async function beginAt(redirect: string, name: string) {
  const client = await registerHost(server.url, { client_name: name, redirect_uris: [redirect] });
  const { verifier, challenge } = createPkce();
  return { client, verifier, url: server.url + authorizePath(client, { code_challenge: challenge }) };
}

/** Opens the sign-in of an app in a browser of its own, until the test ends. */
async function openSignIn({ redirect = callback, name = 'Claude', size = { width: 1280, height: 850 } } = {}) {
  const begun = await beginAt(redirect, name);
  const { page, problems } = await openPage(browser, size);
  onTestFinished(() => page.context().close());
  await page.goto(begun.url);
  return { ...begun, page, problems };
}

async function enterKey(page: Page, key = sandbox.key()): Promise<void> {
  await page.getByLabel('Your API key').fill(key);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a user sees the app, enters a key, restricts it, and returns to the host, signed in', async () => {
  const { client, verifier, page, problems } = await openSignIn();
  await expect.poll(() => page.textContent('h1')).toContain(texts.claudeWantsAccessYour);
  expect(await page.textContent('.facts')).toMatch(/Not verified/);
  await enterKey(page, 'wrong');
  expect(await page.getByRole('alert').textContent()).toContain('key isn’t valid');
  expect(await page.getByLabel('Your API key').inputValue()).toBe('');
  await enterKey(page, ` ${sandbox.key(['documents:read', 'links:read', 'links:write'])} `);
  await page.getByText('Key accepted').waitFor();
  await page.getByRole('checkbox', { name: /^Documents/ }).uncheck();
  await page.getByRole('radio', { name: /^Read only/ }).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/done$/);
  const code = heard.at(-1)?.searchParams.get('code') ?? '';
  const answer = await redeemCode(server.url, client, { code, verifier });
  expect(answer.body['scope']).toBe('links:read');
  expect(await toolNamesAt(server.url, String(answer.body['access_token']))).toEqual([
    'list_links',
    'review_exposure',
    'find',
    'get',
    'activity',
    'whoami',
  ]);
  // 422: browsers log an error response to a form.
  expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
});

test('with the keyboard alone, a user adds a second workspace after a wrong key', async () => {
  const { client, verifier, page } = await openSignIn({ size: { width: 390, height: 844 } });
  const { keyboard } = page;
  const tabTo = async (selector: string) => {
    const isFocused = () => page.locator(`${selector}:focus`).count();
    for (let presses = 0; presses < 60 && (await isFocused()) === 0; presses++) await keyboard.press('Tab');
    expect(await isFocused()).toBe(1);
  };
  const fill = async (values: Record<string, string>) => {
    for (const [selector, value] of Object.entries(values)) {
      await tabTo(selector);
      await keyboard.type(value);
    }
    await keyboard.press('Enter');
  };
  await fill({ '#api_key': sandbox.key() });
  await page.getByText('Key accepted').waitFor();
  await fill({ '[value=add]': '' });
  await page.getByRole('heading', { name: 'Add another workspace' }).waitFor();
  await fill({ '#workspace-0': 'Acme', '#workspace-1': 'Beta', '#api_key': 'wrong' });
  expect(await page.getByRole('alert').textContent()).toContain('key isn’t valid');
  expect(
    await page.locator('[name=workspace]').evaluateAll((all) => all.map((input) => 'value' in input && input.value)),
  ).toEqual(['Acme', 'Beta']);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await fill({ '#api_key': sandbox.key() });
  await page.getByText('2 workspaces').waitFor();
  await fill({ '[value=allow]': '' });
  await page.waitForURL(/\/done$/);
  const code = heard.at(-1)?.searchParams.get('code') ?? '';
  const { body } = await redeemCode(server.url, client, { code, verifier });
  const { data } = await callAt(server.url, String(body['access_token']), 'whoami', { workspace: 'beta' });
  expect(data['workspaces']).toEqual(['acme', 'beta']);
});

test('a program with its own URL scheme gets its response through a page that says so', async () => {
  const redirect = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const { page } = await openSignIn({ redirect, name: 'Cursor' });
  expect(await page.textContent('.facts')).toContain('an installed app (cursor://anysphere.cursor-mcp/oauth/callback)');
  await enterKey(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  expect(await page.getByRole('link', { name: 'Return to Cursor' }).getAttribute('href')).toMatch(
    /^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=[\w-]{43}&state=state-1&iss=/,
  );
});

test('a refusal stores nothing, and the host gets access_denied', async () => {
  const { page } = await openSignIn();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL(/\/done$/);
  expect(heard.at(-1)?.searchParams.get('error')).toBe('access_denied');
});

test('two tabs are two sign-ins, and the back button does not submit a second answer', async () => {
  const { page, url } = await openSignIn({ name: 'One' });
  const second = await page.context().newPage();
  await second.goto((await beginAt(callback, 'Other')).url);
  for (const tab of [page, second]) await enterKey(tab);
  await page.getByRole('heading', { name: /can One access/ }).waitFor();
  await second.getByRole('heading', { name: /can Other access/ }).waitFor();
  const before = heard.length;
  for (const tab of [page, second]) {
    await tab.getByRole('button', { name: 'Allow' }).click();
    await tab.waitForURL(/\/done$/);
  }
  expect(heard.length - before).toBe(2);
  await page.goto(url);
  expect(await page.getByLabel('Your API key').inputValue()).toBe('');
});

test('the key is in no storage of the browser, and no page can be framed', async () => {
  const { page, problems } = await openSignIn();
  const key = sandbox.key();
  await enterKey(page, key);
  await page.getByText('Key accepted').waitFor();
  expect(JSON.stringify(await page.context().storageState({ indexedDB: true }))).not.toContain(key);
  expect(await page.content()).not.toContain(key);
  expect(page.url()).not.toContain(key);
  await page.goto(`http://127.0.0.1:${port}/frame`);
  await expect.poll(() => problems.filter((problem) => problem.includes('frame-ancestors')).length).toBe(2);
});
