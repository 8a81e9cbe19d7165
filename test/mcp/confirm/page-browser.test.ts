import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { type Json, openHostOnSandbox } from '../../support/mcp-host.ts';
import { openBrowser } from '../../support/open-browser.ts';

const browser = await closeAfterAll(openBrowser());

/** Sends the first draft and lets a user act on the page that opens. */
async function send(act: (page: Page) => Promise<void>): Promise<Json> {
  const host = await openHostOnSandbox(await closeAfterTest(createSandbox()), {
    args: ['--confirm', 'auto'],
    openBrowser: async (url) => {
      const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
      await page.goto(url);
      await act(page);
      await page.close();
      return true;
    },
  });
  const { items } = (await host.call('list_agreements', { detail: 'full', limit: 50 })).data as { items: Json[] };
  const draft = items.find(({ status }) => status === 'draft');
  const { data } = await host.call('send_agreement', { id: draft?.['id'], fields: { cc: ['eve@evil.example'] } });
  return data;
}

test('a user who denies on the page sends nothing, and the page says so', async () => {
  const data = await send(async (page) => {
    // Of two pages that open at once in a new browser, one would lose its cookie.
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Denied' }).waitFor();
    await page.goto(new URL('/', page.url()).href);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });
  expect(data).toMatchObject({ done: false, outcome: 'declined' });
});

test('a user reads the recipients on a phone and approves with the keyboard', async () => {
  const data = await send(async (page) => {
    expect(await page.locator('.act').innerText()).toContain('eve@evil.example');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const focused = page.locator('button:focus', { hasText: 'Approve' });
    for (let presses = 0; presses < 12 && (await focused.count()) === 0; presses++) await page.keyboard.press('Tab');
    expect(await focused.count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
  });
  expect(data).toMatchObject({ sent: true, approved_by: 'page' });
});
