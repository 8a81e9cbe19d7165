import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createCaller, storeDocument } from '../support/call-sandbox.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { openBrowser, openEndpoint, openPage } from '../support/open-browser.ts';
import { texts } from './texts.ts';

/** Opens a page until the test ends, which expects that it had no problems. */
async function newPage(size?: { width: number; height: number }) {
  const { page, problems } = await openPage(browser, size);
  onTestFinished(async () => {
    await page.context().close();
    expect(problems).toEqual([]);
  });
  return { page };
}

/** Waits for the response to the reader's next report with this event; clock time after it counts. */
function report(page: Page, words: string) {
  return page.waitForResponse(
    (response) => response.url().endsWith('/time') && response.request().postData() === words,
  );
}

async function createLink(fields: object = {}) {
  return (await call('POST /links', { document_id: documentId, ...fields })).body as { id: string; url: string };
}

const browser = await closeAfterAll(openBrowser());
const sandbox = await closeAfterAll(createSandbox({ data: 'empty', clock: 'manual' }));
const endpoint = await closeAfterAll(openEndpoint());
const call = createCaller(sandbox);
const documentId = await storeDocument(call, {
  name: 'Annual report',
  titles: ['Opening words', 'Middle part', 'Closing'],
});
await call('POST /webhooks', { url: endpoint.url, events: ['link.viewed', 'envelope.signed'] });

test('a visitor passes the email gate and reads three pages, and each page counts its seconds', async () => {
  const link = await createLink({ email_required: true });
  const { page } = await newPage();
  await page.goto(link.url);
  expect(await page.title()).toBe('Annual report');
  await page.getByLabel('Your email address').fill('grace@example.com');
  let told = report(page, 'page=1');
  await page.getByRole('button', { name: 'View document' }).click();
  for (const [index, words] of ['Opening words', 'Middle part', 'Closing'].entries()) {
    await told;
    const sheet = page.getByRole('group', { name: `Page ${index + 1} of 3` });
    await sheet.getByText(words).waitFor();
    // The page itself is rendered in its own proportions.
    const shape = await sheet.locator('canvas').evaluate(({ width, height }: HTMLCanvasElement) => width / height);
    expect(shape).toBeCloseTo(595 / 842, 2);
    await sandbox.clock.advance(5_000 + index * 1_000);
    if (index === 2) break;
    told = report(page, `page=${index + 2}`);
    await page.getByRole('link', { name: 'Next' }).click();
  }
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();

  const { body } = await call(`GET /analytics/links/${link.id}`);
  expect(body).toMatchObject({ views: 1, unique_visitors: 1, completion_rate: 1 });
  expect(body.pages.map((entry: { total_seconds: number }) => entry.total_seconds)).toEqual([5, 6, 7]);
  const visitors = (await call(`GET /analytics/links/${link.id}/visitors`)).body.data;
  expect(visitors).toMatchObject([{ email: 'grace@example.com', visit_count: 1 }]);
  const visit = (await call(`GET /analytics/visits/${visitors[0].visit_ids[0]}`)).body;
  expect(visit).toMatchObject({ pages_viewed: 3, page_count: 3, ended_at: expect.any(String) });

  await expect
    .poll(() => endpoint.events.at(-1)?.body)
    .toMatchObject({ type: 'link.viewed', data: { link_id: link.id, visitor: { email: 'grace@example.com' } } });
});

test('time on a hidden page does not count', async () => {
  const link = await createLink();
  const { page } = await newPage();
  let told = report(page, 'page=1');
  await page.goto(link.url);
  const look = (state: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      Object.defineProperty(document, 'hidden', { value: value === 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  const seconds = async () => (await call(`GET /analytics/links/${link.id}`)).body.total_seconds as number;
  await told;
  await sandbox.clock.advance(2_000);
  told = report(page, 'away=1');
  await look('hidden');
  await told;
  await sandbox.clock.advance(60_000);
  expect(await seconds()).toBe(2);
  told = report(page, 'page=1');
  await look('visible');
  await told;
  await sandbox.clock.advance(3_000);
  expect(await seconds()).toBe(5);
});

test('a keyboard user passes the gate and goes to the last page and back', async () => {
  const link = await createLink({ email_required: true, password: 'open sesame', nda_required: true });
  const { page } = await newPage();
  await page.goto(link.url);
  const { keyboard } = page;
  await keyboard.press('Tab');
  await keyboard.type('hugo@example.com');
  await keyboard.press('Tab');
  await keyboard.type('Hugo');
  await keyboard.press('Tab');
  await keyboard.type('open sesame');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await keyboard.press('Enter');
  // The page script listens from here.
  await page.getByRole('group', { name: 'Page 1 of 3' }).getByText('Opening words').waitFor();
  const place = page.getByLabel('Page', { exact: true });
  await expect.poll(() => place.inputValue()).toBe('1');
  await keyboard.press('ArrowRight');
  await expect.poll(() => place.inputValue()).toBe('2');
  expect(await page.getByRole('status').textContent()).toBe('Page 2 of 3');
  await page.getByRole('link', { name: 'Next' }).focus();
  await keyboard.press('Enter');
  await expect.poll(() => place.inputValue()).toBe('3');
  // The forward button is disabled here, so the focus moves to the back button instead of being lost.
  await keyboard.press('Enter');
  await expect.poll(() => place.inputValue()).toBe('2');
  await page.goBack();
  await expect.poll(() => place.inputValue()).toBe('3');
});

test('a visitor can read all files of a room', async () => {
  const room = (await call('POST /rooms', { name: 'Data room' })).body.id;
  const other = await storeDocument(call, { name: 'Appendix', titles: ['Last page of all'] });
  for (const id of [documentId, other]) await call(`POST /rooms/${room}/files`, { document_id: id });
  const link = (await call('POST /links', { room_id: room })).body;
  const { page } = await newPage({ width: 390, height: 844 });
  await page.goto(link.url);
  await page.getByRole('button', { name: 'Files' }).click();
  await page.getByRole('region', { name: 'In this room' }).getByRole('link', { name: 'Appendix', exact: true }).click();
  await page.getByRole('group', { name: 'Page 4 of 4' }).getByText('Last page of all').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});

test('two signers sign; the last signature sends the event and the signer can read the signed PDF', async () => {
  const document_id = await storeDocument(call, { name: 'Contract', titles: ['Terms', 'More terms'] });
  const recipients = [
    { email: 'ada@example.com', name: 'Ada Lovelace' },
    { email: 'ben@example.com', name: 'Ben Okafor' },
  ];
  const { id } = (await call('POST /agreements', { name: 'Contract', document_id, recipients })).body;
  const sent: { signing_url: string }[] = (await call(`POST /agreements/${id}/send`)).body.recipients;
  const { page } = await newPage({ width: 390, height: 844 });
  for (const [index, url] of sent.map(({ signing_url }) => signing_url).entries()) {
    await page.goto(url);
    await page.getByRole('group', { name: 'Page 2 of 2' }).getByText('More terms').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await page.getByRole('link', { name: 'Go to signature' }).click();
    await page.getByLabel(texts.typeYourFullName).fill(`Signer ${index + 1}`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Sign' }).click();
    const done = page.getByRole('status').filter({ hasText: `Signer ${index + 1}` });
    await done.waitFor();
    expect(await done.textContent()).toContain(
      index === 0 ? 'Waiting for 1 more signature' : texts.theAgreementIsComplete,
    );
  }
  await expect
    .poll(() => endpoint.events.map(({ body }) => body).filter(({ type }) => type === 'envelope.signed'))
    .toMatchObject([{ type: 'envelope.signed', data: { agreement_id: id, status: 'signed' } }]);
  // The signer can read the signed document there, including the signature page.
  await page.reload();
  const signature = page.getByRole('group', { name: 'Page 3 of 3' });
  await signature.getByText('Signer 1').first().waitFor();
  await signature.getByText('ben@example.com').first().waitFor();
});
