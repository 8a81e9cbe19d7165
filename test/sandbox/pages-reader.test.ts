import { degrees, PDFDocument, StandardFonts } from 'pdf-lib';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createForm } from '../support/ask-service.ts';
import { createCaller } from '../support/call-sandbox.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { drawLargePdf } from '../support/large-pdf.ts';
import { openBrowser, openPage } from '../support/open-browser.ts';

let page: Page;
let problems: string[] = [];
let kept: Awaited<ReturnType<typeof openPage>> | undefined;

const browser = await closeAfterAll(openBrowser());
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const call = createCaller(sandbox);

afterEach(async () => {
  if (page !== kept?.page) await page?.context().close();
  expect(problems.splice(0)).toEqual([]);
});

async function storeBytes(bytes: Uint8Array, name = 'Deck'): Promise<string> {
  const file = new File([Uint8Array.from(bytes)], 'deck.pdf', { type: 'application/pdf' });
  return (await call('POST /documents', createForm({ file, name }))).body.id;
}

async function drawDeck(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const [index, size] of [
    [960, 540],
    [595, 842],
    [595, 842],
  ].entries()) {
    const sheet = pdf.addPage(size as [number, number]);
    sheet.drawText(`Words of page ${index + 1}`, { x: 60, y: 300, size: 32, font });
    if (index === 2) sheet.setRotation(degrees(90));
  }
  return pdf.save();
}

/** Opens the document in the page that tests share unless they need their own, so that pdf.js stays cached. */
async function openLink(fields: object, size = { width: 1280, height: 850 }): Promise<string> {
  const { url } = (await call('POST /links', fields)).body;
  kept ??= await openPage(browser);
  ({ page, problems } = kept);
  await page.setViewportSize(size);
  await page.goto(url);
  return url;
}

const shown = (number: number) => page.locator(`#sheet[data-shown="${number}"]`).waitFor();
const box = async (selector: string) => {
  const found = await page.locator(selector).boundingBox();
  return { width: Math.round(found?.width ?? 0), height: Math.round(found?.height ?? 0) };
};

test('number, buttons and keys select a page, and text can be selected', async () => {
  await openLink({ document_id: await storeBytes(await drawDeck()) });
  await shown(1);
  await page.getByLabel('Page', { exact: true }).fill('3');
  await page.keyboard.press('Enter');
  await shown(3);
  // Rotated by 90 degrees in the file, so it is landscape.
  const turned = await box('#sheet');
  expect(turned.width).toBeGreaterThan(turned.height);
  await page.getByRole('link', { name: 'Previous' }).click();
  await shown(2);
  expect(new URL(page.url()).search).toBe('?page=2');
  await page.keyboard.press('Home');
  await shown(1);
  await page.keyboard.press('End');
  await shown(3);
  await page.keyboard.press('ArrowLeft');
  await shown(2);
  await page.getByText('Words of page 2').selectText();
  expect(await page.evaluate(() => String(getSelection()))).toBe('Words of page 2');
  for (const wrong of ['0', '99', 'x', '-3', '1e9']) {
    await page.getByLabel('Page', { exact: true }).fill(wrong);
    await page.keyboard.press('Enter');
    expect(['1', '3']).toContain(await page.getByLabel('Page', { exact: true }).inputValue());
  }
});

test('a page fits the width, fits completely or has a chosen zoom', async () => {
  await openLink({ document_id: await storeBytes(await drawDeck()) });
  await shown(1);
  const stage = await box('#stage');
  const zoom = page.getByLabel('Zoom', { exact: true });
  await zoom.selectOption('Fit width');
  await expect.poll(async () => stage.width - (await box('#sheet')).width).toBeLessThan(60);
  await page.getByLabel('Page', { exact: true }).fill('2');
  await page.keyboard.press('Enter');
  await shown(2);
  await zoom.selectOption('Fit page');
  await expect.poll(async () => (await box('#sheet')).height).toBeLessThanOrEqual(stage.height);
  await zoom.selectOption('100 %');
  await expect.poll(async () => (await box('#sheet')).width).toBe(Math.round((595 * 96) / 72));
});

test('on a phone in landscape the page fits the width', async () => {
  await openLink({ document_id: await storeBytes(await drawDeck()) }, { width: 844, height: 390 });
  await shown(1);
  await expect.poll(async () => (await box('#sheet')).width).toBeGreaterThan(760);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});

test('of a large file, only the visible ranges are fetched', async () => {
  const bytes = await drawLargePdf({ pages: 300, bytesPerPage: 30_000 });
  const { url } = (await call('POST /links', { document_id: await storeBytes(bytes, 'Book') })).body;
  ({ page, problems } = await openPage(browser, { width: 390, height: 844 }));
  const asked: { range: string | undefined; status: number; length: number }[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/files/')) return;
    const length = Number(response.headers()['content-length']);
    asked.push({ range: response.request().headers()['range'], status: response.status(), length });
  });
  await page.goto(url);
  await shown(1);
  const fetched = () => asked.reduce((sum, { length }) => sum + length, 0);
  expect(fetched()).toBeLessThan(bytes.length / 10);
  await page.getByLabel('Page', { exact: true }).fill('217');
  await page.keyboard.press('Enter');
  await shown(217);
  await page.getByText('Leaf 217').waitFor();
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.map(({ range, status }) => [range?.startsWith('bytes='), status])).toEqual(asked.map(() => [true, 206]));
  expect(fetched()).toBeLessThan(bytes.length / 5);
});

test('a new version does not mix with the version that is being read', async () => {
  const id = await storeBytes(await drawLargePdf({ pages: 40, bytesPerPage: 60_000 }));
  await openLink({ document_id: id }, { width: 390, height: 844 });
  await shown(1);
  const upload = (await call('POST /documents/uploads', {})).body;
  await fetch(upload.uploadUrl, { method: 'PUT', headers: upload.headers, body: Uint8Array.from(await drawDeck()) });
  const { storageKey, token } = upload;
  await call('POST /documents/uploads/finalize', { storageKey, token, documentId: id });
  await page.getByLabel('Page', { exact: true }).fill('31');
  await page.keyboard.press('Enter');
  await page.getByText('Leaf 31').waitFor();
  expect(await page.getByText('Words of page').count()).toBe(0);
  await page.reload();
  await page.getByText('Words of page').waitFor();
  expect(await page.getByText('Leaf').count()).toBe(0);
});

test('without JavaScript the page links the file itself', async () => {
  const link = (await call('POST /links', { document_id: await storeBytes(await drawDeck()) })).body;
  const context = await browser.newContext({ javaScriptEnabled: false });
  page = await context.newPage();
  await page.goto(link.url);
  const way = page.getByRole('link', { name: 'Download Deck' });
  const [download] = await Promise.all([page.waitForEvent('download'), way.click()]);
  expect(download.suggestedFilename()).toBe('deck.pdf');
});
