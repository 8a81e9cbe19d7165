import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createCaller } from '../support/call-sandbox.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { openBrowser } from '../support/open-browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LONG = `Wettbewerbsverhinderungsvereinbarung${'ssss'.repeat(60)} and more`;
const browser = await closeAfterAll(openBrowser());
const sandbox = await closeAfterAll(createSandbox());
const call = createCaller(sandbox);
const document_id = (await call('GET /documents')).body.data[0].id;
const room_id = (await call('POST /rooms', { name: LONG })).body.id;
for (const { id } of (await call('GET /documents')).body.data)
  await call(`POST /rooms/${room_id}/files`, { document_id: id });
const link = async (fields: object) => (await call('POST /links', fields)).body.url;
const recipients = [{ email: 'ada@example.com', name: LONG }];
const made = { name: LONG, message: LONG, document_id, recipients };
const agreement = (await call('POST /agreements', made)).body.id;
const items = [{ description: LONG, quantity: 3, unit_price: 20 }];
const proposal = (await call('POST /proposals', { name: LONG, items, recipients })).body.id;
await call('POST /webhooks', { url: `http://127.0.0.1:9/${'a'.repeat(300)}`, events: ['*'] });
await call(`GET /links/${'b'.repeat(300)}`);
const store = async (content: string, file_name: string): Promise<string> =>
  (await call('POST /documents', { name: LONG, file_name, content: btoa(content) })).body.id;
const endedAgreement = async () => {
  const { id } = (await call('POST /agreements', made)).body;
  const { signing_url } = (await call(`POST /agreements/${id}/send`)).body.recipients[0];
  await sandbox.endAgreement(id, 'voided');
  return signing_url;
};
const declinedProposal = async () => {
  const { id } = (await call('POST /proposals', { name: LONG, items, recipients })).body;
  const { url } = (await call(`POST /proposals/${id}/send`)).body;
  await fetch(url, { method: 'POST', body: new URLSearchParams({ decision: 'decline' }) });
  return url;
};
const closedRoom = (await call('POST /rooms', { name: LONG })).body.id;
await call(`POST /rooms/${closedRoom}/files`, { document_id });
await call(`PUT /rooms/${closedRoom}/permissions`, { permissions: [] });
const addresses = {
  console: `${sandbox.origin}/`,
  gate: await link({ document_id, email_required: true, password: 'x', nda_required: true }),
  reader: await link({ document_id }),
  room: await link({ room_id }),
  signing: (await call(`POST /agreements/${agreement}/send`)).body.recipients[0].signing_url,
  proposal: (await call(`POST /proposals/${proposal}/send`)).body.url,
  message: `${sandbox.origin}/l/nothing`,
  slides: await link({ document_id: await store('Slides', 'slides.pptx') }),
  text: await link({ document_id: await store('Some words', 'words.txt') }),
  ended: await endedAgreement(),
  declined: await declinedProposal(),
  denied: await link({ room_id: closedRoom }),
};

const LOOKS = [
  { viewport: { width: 1280, height: 850 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

const judged = Object.entries(addresses).flatMap(([name, url]) =>
  LOOKS.map((look, index) => ({ name, url, index, width: look.viewport.width, scheme: look.colorScheme })),
);

/** One browser page per color scheme and width for all URLs, so that its caches are reused. */
const pages = await Promise.all(LOOKS.map(async (look) => (await browser.newContext(look)).newPage()));

test.each(judged)('$name at $width px, $scheme', async ({ name, url, index }) => {
  const page = pages[index] as Page;
  await page.goto(url);
  if (name === 'reader' || name === 'room') await page.locator('#sheet[data-shown]').waitFor();
  if (name === 'slides') await page.getByText('No preview for .pptx').waitFor();
  if (name === 'text') await page.locator('#sheet pre').waitFor();
  if (name === 'signing' || name === 'ended') await page.locator('#sheets canvas').first().waitFor();
  if (name === 'console') {
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor();
    for (const details of await page.locator('details:not([open]) > summary').all())
      if (await details.isVisible()) await details.click();
  }
  // pdf.js draws its text layer transparently over the image, so its contrast is meaningless.
  const verdict = await page.evaluate(`(() => { ${AXE}
    return axe.run({ exclude: ['.textLayer'] }, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')));
  })()`);
  expect(verdict).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});
