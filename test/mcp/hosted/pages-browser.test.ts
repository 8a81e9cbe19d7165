import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { openReplica } from '../../support/hosted-replica.ts';
import { signedInBrowser } from '../../support/hosted-visitor.ts';
import { createMemoryState } from '../../support/mcp-parts.ts';
import { openBrowser, PATIENCE_MS } from '../../support/open-browser.ts';
import { texts } from '../texts.ts';

const { cookie, browser: hash } = signedInBrowser('b');
const sandbox = await closeAfterAll(createSandbox());
const key = sandbox.key();
const grants = { mine: { grant: 'mine', key, browser: hash } };
const replica = await closeAfterAll(openReplica({ baseUrl: sandbox.url, state: createMemoryState(), grants }));
const host = await closeAfterAll(openRemote({ kind: 'sdk 2.x modern', url: replica.mcp, token: 'mine' }));
const browser = await closeAfterAll(openBrowser());
beforeEach(() => sandbox.log.clear());

async function open(
  options: BrowserContextOptions & { known?: boolean } = {},
): Promise<{ page: Page; problems: string[]; context: BrowserContext }> {
  const { known = true, ...more } = options;
  const context = await closeAfterTest(browser.newContext({ viewport: { width: 1280, height: 850 }, ...more }));
  context.setDefaultTimeout(PATIENCE_MS);
  const value = cookie.split('=')[1] ?? '';
  if (known) await context.addCookies([{ name: 'docshare', value, url: replica.url }]);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    // The browser logs a rejected form as an error.
    if (message.type() === 'error' && !message.text().includes('403')) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, problems, context };
}

const deletes = () => sandbox.log.entries().filter(({ method }) => method === 'DELETE').length;
const file = (size: number) => ({
  name: 'Board deck.bin',
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(size, 'x'),
});
let count = 0;
async function asked() {
  const args = { id: `link ${++count}` };
  const { data } = await host.call('delete_link', args);
  return { args, url: String(data['confirm_url']) };
}
async function opened() {
  const { data } = await host.call('upload_document', { name: `Deck ${++count}` });
  const status = async () => (await host.call('upload_document', { hand_over: data['hand_over'] })).data;
  return { url: String(data['upload_url']), status };
}

test.each([true, false])('a user approves in the browser that signed in (script: %s)', async (javaScriptEnabled) => {
  const { args, url } = await asked();
  const { page, problems } = await open({ javaScriptEnabled });
  await page.goto(url);
  expect(await page.getByText(`Delete link "${args.id}"`).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Approved' }).waitFor();
  expect(deletes()).toBe(0);
  await host.call('delete_link', args);
  expect(deletes()).toBe(1);
  await page.reload();
  expect(await page.getByText(texts.hasUsedYourApproval).isVisible()).toBe(true);
  expect(problems).toEqual([]);
});

test('in another browser a user enters the key first, and declines', async () => {
  const { args, url } = await asked();
  const { page } = await open({ known: false });
  await page.goto(url);
  await page.getByLabel('Your API key').fill(key);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'Denied' }).waitFor();
  await page.goto((await asked()).url);
  expect(await page.getByRole('button', { name: 'Approve' }).isVisible()).toBe(true);
  expect((await host.call('delete_link', args)).data).toMatchObject({ outcome: 'declined' });
  expect(await page.evaluate('JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])')).toBe(
    '[0,0,""]',
  );
});

test('another site can neither frame the page nor answer for the user', async () => {
  const { args, url } = await asked();
  const { page, context } = await open();
  await context.route('https://evil.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${url}"></iframe><form method="post" action="${url}"><input name="decision" value="approve"><button>Win</button></form>`,
    }),
  );
  await page.goto('https://evil.example/');
  await expect.poll(() => page.frames().length).toBe(2);
  expect(await page.frames()[1]?.getByRole('button').count()).toBe(0);
  await page.getByRole('button', { name: 'Win' }).click();
  await page.waitForURL(url);
  expect(await page.getByRole('heading').innerText()).toBe('Request blocked');
  await host.call('delete_link', args);
  expect(deletes()).toBe(0);
});

describe('a file', () => {
  test('is uploaded from the page, which shows the progress', async () => {
    const { url, status } = await opened();
    const { page, problems } = await open({ known: false });
    await page.goto(url);
    await page.getByLabel(texts.dropAFileHere).setInputFiles(file(3_000_000));
    expect(await page.getByRole('status').innerText()).toBe('Board deck.bin, 3.0 MB');
    const progress = page.evaluate(
      `new Promise((done) => new MutationObserver(() => done(document.querySelector('progress').hidden)).observe(document.querySelector('progress'), { attributes: true }))`,
    );
    await page.getByRole('button', { name: 'Upload' }).click();
    expect(await progress).toBe(false);
    await page.getByRole('heading', { name: 'Upload complete' }).waitFor();
    expect(await status()).toMatchObject({ done: true, size_bytes: 3_000_000 });
    expect(problems).toEqual([]);
  });

  test('that is rejected shows an error, and the page accepts another one', async () => {
    const { data } = await host.call('upload_document', { name: 'Signed.pdf' });
    const { page } = await open({ known: false });
    await page.goto(String(data['upload_url']));
    const wrong = { name: 'Signed.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<!doctype html><h1>Log in') };
    await page.getByLabel(texts.dropAFileHere).setInputFiles(wrong);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('This isn’t a PDF file');
    await page.getByLabel(texts.dropAFileHere).setInputFiles({ ...wrong, buffer: Buffer.from('%PDF-1.7 x') });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('heading', { name: 'Upload complete' }).waitFor();
  });

  test('in a second tab is not reported as saved when the link already has another file', async () => {
    const { url, status } = await opened();
    const { page, context } = await open({ known: false });
    const other = await context.newPage();
    for (const tab of [page, other]) await tab.goto(url);
    await page.getByLabel(texts.dropAFileHere).setInputFiles(file(500));
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('heading', { name: 'Upload complete' }).waitFor();
    await other.getByLabel(texts.dropAFileHere).setInputFiles(file(50_000));
    await other.getByRole('button', { name: 'Upload' }).click();
    await other.getByText('This upload saved nothing').waitFor();
    expect(await status()).toMatchObject({ done: true, size_bytes: 500 });
  });
});
