/**
 * Takes the screenshots of the README and the guides with the built programs, in the tests' browser: a chat with real tool calls,
 * a visitor's reader, and the sandbox's page. `zap-diagrams.ts` draws the Zaps.
 */
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { createSandbox } from '../sandbox/index.ts';
import { findBrowser } from '../scripts/browser.ts';
import { readOptions } from '../scripts/read-options.ts';
import { renderChatPage } from './screenshots/chat-page.ts';
import { runChat } from './screenshots/chat-session.ts';

readOptions({});

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folder = 'docs/pictures';

async function captureChat(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 880, height: 400 } });
  await page.setContent(renderChatPage(await runChat()));
  await page.screenshot({ path: `${folder}/chat.png`, fullPage: true });
  await page.close();
}

/** Page of a link, as a visitor sees it, and page of the sandbox. */
async function captureSandbox(browser: Browser): Promise<void> {
  const sandbox = await createSandbox({ seed: 7, data: 'company' });
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
    const headers = { authorization: `Bearer ${sandbox.key()}` };
    const { data } = await (await fetch(`${sandbox.url}/links`, { headers })).json();
    const open = data.find(
      (link: Record<string, unknown>) =>
        /pitch|overview|whitepaper/i.test(String(link['name'])) && link['email_required'] && !link['password_required'],
    );
    await page.goto(open.url);
    const email = page.locator('input[type=email]');
    await email.fill('ada@example.com');
    for (const box of await page.locator('input[type=checkbox]').all()) await box.check();
    await page.getByRole('button', { name: 'View document' }).click();
    await page.locator('#sheet[data-shown="1"]').waitFor();
    await page.screenshot({ path: `${folder}/share-page.png` });
    await page.goto(sandbox.url.replace('/api/v1', '/'));
    await page.locator('table').first().waitFor();
    await page.screenshot({ path: `${folder}/sandbox.png` });
    await page.close();
  } finally {
    await sandbox.close();
  }
}

const browser = await chromium.launch({ ...findBrowser(), args: ['--no-sandbox'] });
try {
  await captureChat(browser);
  await captureSandbox(browser);
} finally {
  await browser.close();
}
