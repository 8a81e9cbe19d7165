/** Compares PDFs of other programs in the reader with the output of pdftoppm (`test/support/pdfs/README.md`). */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createForm } from '../support/ask-service.ts';
import { createCaller } from '../support/call-sandbox.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { openBrowser, openPage } from '../support/open-browser.ts';
import { texts } from './texts.ts';

const FOLDER = fileURLToPath(new URL('../support/pdfs/', import.meta.url));
const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.pdf') ? [file.slice(0, -4)] : []));
const shown = names.filter((name) => existsSync(`${FOLDER}${name}.png`));

let page: Page;
let problems: string[];

const browser = await closeAfterAll(openBrowser());
const call = createCaller(await closeAfterAll(createSandbox({ data: 'empty' })));
({ page, problems } = await openPage(browser, { width: 640, height: 700 }));

async function store(name: string): Promise<string> {
  const file = new File([readFileSync(`${FOLDER}${name}.pdf`)], `${name}.pdf`, { type: 'application/pdf' });
  return (await call('POST /documents', createForm({ file, name }))).body.id;
}

/** Page counts by poppler's `pdfinfo`, which fails for the same files as the reader. */
test.each(names)('the API has the page count of pdfinfo for %s', async (name) => {
  const { page_count } = (await call(`GET /documents/${await store(name)}`)).body;
  expect(page_count).toBe(name in REFUSED ? null : name === 'latex-beamer' ? 2 : 1);
});

async function openReader(name: string): Promise<void> {
  await page.goto((await call('POST /links', { document_id: await store(name) })).body.url);
}

/**
 * Difference between the visible page and an image: the mean over all pixels and the worst block of 8 x 8, each in
 * steps of 255. Blocks tolerate differently smoothed edges, but no missing, pale or moved content.
 */
function compare(picture: string): Promise<{ shape: number; mean: number; worst: number }> {
  return page.evaluate(async (source) => {
    const BLOCK = 8;
    const canvas = document.querySelector<HTMLCanvasElement>('#sheet canvas');
    const image = new Image();
    image.src = source;
    await image.decode();
    const { width, height } = image;
    const pixelsOf = (drawn: CanvasImageSource) => {
      const scaled = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
      if (!scaled) throw new Error('no canvas');
      scaled.imageSmoothingQuality = 'high';
      scaled.drawImage(drawn, 0, 0, width, height);
      return scaled.getImageData(0, 0, width, height).data;
    };
    const [ours, theirs] = [pixelsOf(canvas as HTMLCanvasElement), pixelsOf(image)];
    let total = 0;
    let worst = 0;
    for (let top = 0; top + BLOCK <= height; top += BLOCK)
      for (let left = 0; left + BLOCK <= width; left += BLOCK)
        for (let channel = 0; channel < 3; channel++) {
          let difference = 0;
          for (let at = 0; at < BLOCK * BLOCK; at++) {
            const index = 4 * ((top + Math.floor(at / BLOCK)) * width + left + (at % BLOCK)) + channel;
            difference += (ours[index] ?? 0) - (theirs[index] ?? 0);
          }
          worst = Math.max(worst, Math.abs(difference) / BLOCK ** 2);
          total += Math.abs(difference);
        }
    const shape = (canvas?.width ?? 0) / (canvas?.height ?? 1) / (width / height);
    return { shape, mean: total / (width * height * 3), worst };
  }, picture);
}

const pictureOf = (name: string) => `data:image/png;base64,${readFileSync(`${FOLDER}${name}.png`).toString('base64')}`;
const isClose = ({ mean, worst }: { mean: number; worst: number }) => mean < 6 && worst < 60;

test.each(shown)('%s looks as in pdftoppm', async (name) => {
  await openReader(name);
  await page.locator('#sheet[data-shown="1"]').waitFor();
  const found = await compare(pictureOf(name));
  expect(Math.abs(found.shape - 1), 'proportions').toBeLessThan(0.02);
  expect(found, 'difference').toSatisfy(isClose);
  expect(problems.splice(0)).toEqual([]);
});

test('the measure distinguishes pages that differ by one gradient', async () => {
  await openReader('cairo-masks');
  await page.locator('#sheet[data-shown="1"]').waitFor();
  await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('#sheet canvas');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    context.resetTransform();
    context.fillStyle = '#dfe4ec';
    context.fillRect(0, 0, canvas.width, canvas.height * 0.4);
  });
  expect(await compare(pictureOf('cairo-masks'))).not.toSatisfy(isClose);
});

test('text in a font that the file does not embed can be read and selected', async () => {
  await openReader('reportlab-cjk-without-font');
  await page.getByText('契約書 港').waitFor();
  await page.getByText(texts.aFontThatIsNot).selectText();
  expect(await page.evaluate(() => String(getSelection()))).toBe(texts.aFontThatIsNot);
});

const REFUSED = {
  'qpdf-locked': texts.filePasswordProtectedAsk,
  'damaged-cut-off': texts.theFileIsDamagedOr,
  'damaged-beyond-repair': texts.theFileIsDamagedOr,
  'not-a-pdf': texts.theFileIsDamagedOr,
  empty: 'This file is empty.',
};

test.each(Object.entries(REFUSED))('%s is not displayed; the page says why and what is next', async (name, reason) => {
  await openReader(name);
  await page.getByRole('alert').filter({ hasText: reason }).waitFor();
  const way = name === 'empty' ? 'another copy' : 'Download it to open it in another app';
  await page.getByRole('main').getByText(way).waitFor();
  expect(problems.splice(0)).toEqual([]);
});

test('each file is displayed or explains why not, and there are at least twenty programs, subjects and faults', () => {
  expect(shown.length).toBeGreaterThanOrEqual(20);
  expect([...shown, ...Object.keys(REFUSED), 'reportlab-cjk-without-font'].sort()).toEqual(names.sort());
});

test('signing pages that were not displayed requires an explicit confirmation', async () => {
  const document_id = await store('qpdf-locked');
  const recipients = [{ email: 'ada@example.com', name: 'Ada' }];
  const { id } = (await call('POST /agreements', { name: 'Locked', document_id, recipients })).body;
  await page.goto((await call(`POST /agreements/${id}/send`)).body.recipients[0].signing_url);
  await page.getByText(texts.filePasswordProtectedAsk).waitFor();
  await page.getByLabel(texts.typeYourFullName).fill('Ada');
  await page.getByLabel(texts.iAgreeSignElectronically).check();
  const tick = page.getByLabel(texts.pageCouldDisplayDocument);
  await page.getByRole('button', { name: 'Sign' }).click();
  expect(await tick.evaluate((box: HTMLInputElement) => box.validity.valueMissing)).toBe(true);
  await tick.check();
  await page.getByRole('button', { name: 'Sign' }).click();
  await page.getByText('You have signed').waitFor();
  expect(problems.splice(0)).toEqual([]);
});
