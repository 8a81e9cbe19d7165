import type { Page } from 'playwright-core';
import { findBrowser } from './browser.ts';

export interface DemoPerson {
  readonly name: string;
  readonly email: string;
}

/** Visitor who uses only the public pages. */
export interface DemoVisitor {
  /** Description: a real browser, or the routes of the pages. */
  readonly method: string;
  /** Opens a link, enters an email address and views every page for `ms`. */
  read(url: string, reading: { person: DemoPerson; pages: number; ms: number }): Promise<void>;
  /** Signs an agreement on its signing page. @returns the text of the page afterwards */
  sign(url: string, person: DemoPerson): Promise<string>;
  close(): Promise<void>;
}

const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Uses a browser if there is one, otherwise sends the same requests as a browser. */
export async function openVisitor(): Promise<DemoVisitor> {
  try {
    const found = findBrowser();
    // Imported only with a browser: this takes as long as the rest of the demo.
    const { chromium } = await import('playwright-core');
    // By default it exits the process on a signal, before the demo has cleaned up.
    const signals = { handleSIGINT: false, handleSIGTERM: false };
    const browser = await chromium.launch({ ...found, ...signals, args: BROWSER_ARGS });
    const page = await browser.newPage({ viewport: { width: 1280, height: 850 } });
    page.setDefaultTimeout(30_000);
    return { ...createBrowserVisitor(page, browser.version()), close: () => browser.close() };
  } catch {
    return { ...createHttpVisitor(), close: async () => undefined };
  }
}

function createBrowserVisitor(page: Page, version: string): Omit<DemoVisitor, 'close'> {
  return {
    method: `Chromium ${version}`,
    async read(url, { person, pages, ms }) {
      await page.goto(url);
      await page.getByLabel('Your email address').fill(person.email);
      await page.getByRole('button', { name: 'View document' }).click();
      for (let number = 1; number <= pages; number++) {
        await page
          .getByRole('group', { name: `Page ${number} of ${pages}` })
          .locator('canvas')
          .waitFor();
        await page.waitForTimeout(ms);
        if (number < pages) await page.getByRole('link', { name: 'Next' }).click();
      }
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    },
    async sign(url, person) {
      await page.goto(url);
      const sheets = page.getByRole('group', { name: /^Page \d+ of/ });
      await sheets.first().waitFor();
      for (const sheet of await sheets.all()) {
        await sheet.scrollIntoViewIfNeeded();
        await sheet.locator('canvas').waitFor();
      }
      await page.getByLabel('Type your full name').fill(person.name);
      await page.getByRole('checkbox', { name: 'I agree to sign electronically' }).check();
      await page.getByRole('button', { name: 'Sign' }).click();
      const signed = page.getByRole('status').filter({ hasText: person.name });
      await signed.waitFor();
      return collapseWhitespace((await signed.textContent()) ?? '');
    },
  };
}

function createHttpVisitor(): Omit<DemoVisitor, 'close'> {
  const post = (url: string | URL, fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return {
    method: "the pages' own routes, since no browser could be started",
    async read(url, { person, pages, ms }) {
      const entered = await post(url, { email: person.email, name: person.name });
      const reading = new URL(entered.headers.get('location') ?? throwUnexpectedStatus(entered), url);
      for (let number = 1; number <= pages; number++) {
        reading.searchParams.set('page', String(number));
        const shown = await fetch(reading);
        if (!shown.ok) throwUnexpectedStatus(shown);
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
      const leaveResponse = await post(new URL(`${reading.pathname}/leave`, reading), {});
      if (!leaveResponse.ok) throwUnexpectedStatus(leaveResponse);
    },
    async sign(url, person) {
      const signed = await post(url, { name: person.name, unseen: 'on', consent: 'on' });
      if (signed.status !== 303) throwUnexpectedStatus(signed);
      const text = (await (await fetch(url)).text()).match(/<section class="done"[\s\S]*?<\/section>/)?.[0] ?? '';
      return collapseWhitespace(text.replace(/<[^>]*>/g, ' '));
    },
  };
}

function throwUnexpectedStatus({ status, url }: Response): never {
  throw new Error(`${new URL(url).pathname} answered ${status}`);
}

function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
