/** Measures the reader in the tests' browser: the time to the first page of a scanned book, and to one in the middle. */
import { chromium } from 'playwright-core';
import { createSandbox } from '../sandbox/index.ts';
import { findBrowser } from '../scripts/browser.ts';
import { readOptions } from '../scripts/read-options.ts';
import { createCaller } from '../test/support/call-sandbox.ts';
import { drawLargePdf } from '../test/support/large-pdf.ts';
import { failOnSlowTime } from './fail-on-slow-time.ts';

readOptions({});

const FIRST_PAGE_LIMIT_MS = 500;
const ROUNDS = 5;

const bytes = await drawLargePdf({ pages: 300, bytesPerPage: 175_000 });
const sandbox = await createSandbox({ data: 'empty' });
const browser = await chromium.launch({ ...findBrowser(), args: ['--no-sandbox'] });
try {
  const call = createCaller(sandbox);
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }), 'book.pdf');
  form.set('name', 'Book');
  const { url } = (await call('POST /links', { document_id: (await call('POST /documents', form)).body.id })).body;
  const page = await browser.newPage({ viewport: { width: 1280, height: 850 } });
  let fetchedBytes = 0;
  page.on('response', (response) => {
    if (response.url().includes('/files/')) fetchedBytes += Number(response.headers()['content-length']);
  });
  const times = { first: [] as number[], middle: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    fetchedBytes = 0;
    const startedAt = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator('#sheet[data-shown="1"]').waitFor();
    times.first.push(performance.now() - startedAt);
    const turnedAt = performance.now();
    await page.locator('#jump').fill('150');
    await page.keyboard.press('Enter');
    await page.locator('#sheet[data-shown="150"]').waitFor();
    times.middle.push(performance.now() - turnedAt);
  }
  const median = (values: number[]) => Math.round(values.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0);
  const row = (label: string, value: string) => console.log(`  ${label.padEnd(34)} ${value}`);
  console.log('reader');
  row('the book', `300 pages, ${(bytes.length / 1e6).toFixed(0)} MB`);
  row('first page, from the click', `${median(times.first)} ms (at most ${FIRST_PAGE_LIMIT_MS} allowed)`);
  row('page 150, from the key', `${median(times.middle)} ms`);
  row('fetched for both', `${(fetchedBytes / 1e6).toFixed(1)} MB`);
  if (median(times.first) > FIRST_PAGE_LIMIT_MS) failOnSlowTime();
} finally {
  await browser.close();
  await sandbox.close();
}
