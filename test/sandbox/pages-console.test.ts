import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { createCaller, storeDocument } from '../support/call-sandbox.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { openBrowser, openEndpoint, openPage } from '../support/open-browser.ts';

let sandbox: Sandbox;
let call: ReturnType<typeof createCaller>;
let page: Page;
let problems: string[];

const browser = await closeAfterAll(openBrowser());
const endpoint = await closeAfterAll(openEndpoint());
({ page, problems } = await openPage(browser));

beforeEach(async () => {
  sandbox = await closeAfterTest(createSandbox({ data: 'empty' }));
  call = createCaller(sandbox);
  await page.goto(`${sandbox.origin}/`);
  await page.getByRole('status').filter({ hasText: 'live' }).waitFor();
});

afterEach(async () => {
  page.removeAllListeners('dialog');
  await page.goto('about:blank');
  expect(problems.splice(0)).toEqual([]);
});

const requests = () => page.getByRole('log', { name: 'Requests' }).getByRole('listitem');
const notice = () => page.getByRole('alert');

test('requests, deliveries and stored objects appear as they happen', async () => {
  const documentId = await storeDocument(call, { name: 'Deck', titles: ['One', 'Two'] });
  await call('POST /webhooks', { url: endpoint.url, events: ['link.viewed'] });
  const link = (await call('POST /links', { document_id: documentId })).body;
  await requests().filter({ hasText: 'POST/links' }).getByText('201', { exact: true }).waitFor();

  const [visitor] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open as visitor' }).click(),
  ]);
  await visitor.getByRole('group', { name: 'Page 1 of 2' }).getByText('One').waitFor();
  await visitor.close();
  await page.bringToFront();

  const delivery = page
    .getByRole('log', { name: 'Deliveries' })
    .getByRole('listitem')
    .filter({ hasText: 'link.viewed' });
  await delivery.getByText('delivered').waitFor();
  const row = page.getByRole('region', { name: 'Links' }).getByRole('row', { name: 'Deck' });
  await expect.poll(() => row.getByRole('cell').nth(3).textContent()).toBe('1');
  expect(endpoint.events.filter(({ body }) => body.data['link_id'] === link.id)).toHaveLength(1);

  await delivery.locator('summary').click();
  await delivery.getByRole('button', { name: 'Send again' }).click();
  await delivery.getByText('delivered ×2').waitFor();
  // An open row stays open after it is replaced.
  expect(await delivery.locator('details').getAttribute('open')).not.toBeNull();
  expect(endpoint.events.filter(({ body }) => body.data['link_id'] === link.id)).toHaveLength(2);
});

test('a key created here works, and the copy button copies it completely', async () => {
  await page.getByText('Create a key').click();
  for (const box of await page.getByRole('checkbox').all())
    if ((await box.getAttribute('value')) !== 'links:read') await box.uncheck();
  await page.getByRole('button', { name: 'Create key' }).click();
  const made = page.getByRole('group').filter({ hasText: 'links:read' }).filter({ hasText: 'Rotate' });
  await made.getByRole('button', { name: 'Copy' }).click();
  await notice().filter({ hasText: 'Copied' }).waitFor();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  const ask = async (path: string) =>
    (await fetch(sandbox.url + path, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await Promise.all([ask('/links'), ask('/rooms')])).toEqual([200, 403]);
  await made.getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(() => ask('/links')).toBe(401);
});

test('forms set the profile, a fault and the clock', async () => {
  await page.getByLabel('Preset').selectOption('preset:legacy');
  await page.locator('#use-preset').click();
  await expect.poll(() => sandbox.profile.errors).toBe('html');
  await page.locator('code', { hasText: 'preset:legacy' }).waitFor();
  await page.getByLabel('Profile string', { exact: true }).fill('random:42+ids=uuid');
  await page.keyboard.press('Enter');
  await expect.poll(() => sandbox.profile.ids).toBe('uuid');
  // The form shows the switches that now apply.
  await expect.poll(() => page.locator('#switch-ids').inputValue()).toBe('uuid');
  await page.getByText(/^All \d+ switches$/).click();
  await page.locator('#switch-errors').selectOption('problem');
  await page.locator('#switch-ids').selectOption('digits');
  await page.getByRole('button', { name: 'Use these' }).click();
  await expect.poll(() => [sandbox.profile.errors, sandbox.profile.ids]).toEqual(['problem', 'digits']);

  await page.getByText('Inject a fault').click();
  await page.locator('#fault-path').fill('/links');
  await page.locator('#fault-status').fill('503');
  await page.locator('#fault-times').fill('1');
  await page.locator('#fault-headers').fill('Retry-After: 2');
  await page.getByRole('button', { name: 'Add fault' }).click();
  await notice().filter({ hasText: 'Fault added' }).waitFor();
  const faulty = await fetch(`${sandbox.url}/links`, { headers: { authorization: `Bearer ${sandbox.key()}` } });
  expect([faulty.status, faulty.headers.get('retry-after')]).toEqual([503, '2']);
  await requests()
    .filter({ has: page.getByText('503', { exact: true }) })
    .getByText('fault')
    .waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(() => sandbox.faults.rules()).toEqual([]);

  const before = sandbox.clock.now();
  await page.getByRole('button', { name: '+1 day' }).click();
  await expect.poll(() => sandbox.clock.now() - before).toBeGreaterThanOrEqual(86_400_000);
});

test('an invalid value in a form is reported in words', async () => {
  await page.getByLabel('Profile string', { exact: true }).fill('nonsense');
  // Chromium itself logs the rejected request.
  await page.keyboard.press('Enter');
  await notice().filter({ hasText: 'No profile "nonsense"' }).waitFor();
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')]);
});

test('reset asks first and clears the page', async () => {
  await storeDocument(call, { name: 'Deck', titles: ['One'] });
  const count = page.locator('#table-documents .badge').first();
  await expect.poll(() => count.textContent()).toBe('1');
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.getByRole('button', { name: 'Reset' }).click();
  expect(await count.textContent()).toBe('1');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => count.textContent()).toBe('0');
  await expect.poll(() => requests().count()).toBe(0);
});

test('names with markup are shown as text on every page', async () => {
  const name = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&amp;';
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const documentId = await storeDocument(call, { name, titles: [name] });
  const link = (await call('POST /links', { document_id: documentId, name, email_required: true })).body;
  const recipients = [{ email: 'x@example.com', name }];
  const { id } = (await call('POST /agreements', { name, message: name, document_id: documentId, recipients })).body;
  await call(`POST /agreements/${id}/send`);
  await call('POST /contacts', { email: 'y@example.com', name, company: name, tags: [name] });
  await call('POST /webhooks', { url: `${endpoint.url}/?${encodeURIComponent(name)}`, events: ['*'] });
  await fetch(`${sandbox.url}/links/${encodeURIComponent(name)}?q=${encodeURIComponent(name)}`);
  const signing = (await call('GET /agreements')).body.data[0].recipients[0].signing_url;
  await sandbox.visit(link.id, { email: '<b>@example.com', name });

  await page.getByRole('region', { name: 'Links' }).getByText(name).first().waitFor();
  await requests().filter({ hasText: 'alert(1)' }).first().waitFor();
  expect(await page.locator('main img, main script, main b').count()).toBe(0);
  await page.goto(link.url);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
  await page.getByLabel('Your email address').fill('z@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Page 1 of 1' }).getByText('<script>alert(1)</script><img src=x').waitFor();
  await page.goto(signing);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
  expect(await page.locator('blockquote').textContent()).toBe(name);
});

test('the commands of the first steps work when pasted', async () => {
  const id = await storeDocument(call, { name: 'Deck', titles: ['One'] });
  const paste = async (nth: 'first' | 'second') => {
    await page.getByRole('button', { name: `Copy the ${nth} command` }).click();
    await notice().filter({ hasText: 'Copied' }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    return JSON.parse(stdout);
  };
  expect((await paste('first')).data).toMatchObject([{ id, name: 'Deck' }]);
  const link = await paste('second');
  expect(link).toMatchObject({ document_id: id, url: expect.stringContaining('/l/') });
  await page.getByRole('region', { name: 'Links' }).getByText(link.id).waitFor();
});
