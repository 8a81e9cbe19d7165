/** Draws `zapier/assets/logo.png` (512 x 512, RGBA) from the SVG beside it, in the tests' browser. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from '../scripts/browser.ts';
import { readOptions } from '../scripts/read-options.ts';

readOptions({});
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const browser = await chromium.launch({ ...findBrowser(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 512, height: 512 } });
  const svg = readFileSync('zapier/assets/logo.svg', 'utf8');
  await page.setContent(`<style>*{margin:0;background:none}svg{display:block;width:512px;height:512px}</style>${svg}`);
  await page.screenshot({ path: 'zapier/assets/logo.png', omitBackground: true });
} finally {
  await browser.close();
}
