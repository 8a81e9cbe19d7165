/** Draws `zapier/assets/logo.png` (256 x 256, RGBA) from the SVG beside it, in the browser that the tests use. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from '../scripts/browser.ts';
import { readOptions } from '../scripts/read-options.ts';

readOptions({});
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const browser = await chromium.launch({ ...findBrowser(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
  const svg = readFileSync('zapier/assets/logo.svg', 'utf8');
  await page.setContent(`<style>*{margin:0;background:none}svg{display:block}</style>${svg}`);
  await page.screenshot({ path: 'zapier/assets/logo.png', omitBackground: true });
} finally {
  await browser.close();
}
