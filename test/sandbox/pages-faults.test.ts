import { PDFDocument, PDFName } from 'pdf-lib';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createForm } from '../support/ask-service.ts';
import { createCaller, drawDocument } from '../support/call-sandbox.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { drawLargePdf } from '../support/large-pdf.ts';
import { openBrowser, openPage } from '../support/open-browser.ts';

const browser = await closeAfterAll(openBrowser());
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const call = createCaller(sandbox);
const smallId = await store(await drawDocument(['Terms']));

async function store(bytes: Uint8Array | string, name = 'file.pdf', type = 'application/pdf'): Promise<string> {
  const file = new File([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)], name, { type });
  return (await call('POST /documents', createForm({ file, name: 'Document' }))).body.id;
}

async function open(url: string, size = { width: 1280, height: 850 }): Promise<Page> {
  const { page } = await openPage(browser, size);
  onTestFinished(() => page.context().close());
  await page.goto(url);
  return page;
}

const RECIPIENTS = [{ email: 'ada@example.com', name: 'Ada' }];
const createLink = async (fields: object): Promise<string> => (await call('POST /links', fields)).body.url;

async function createAgreement(document_id = smallId): Promise<{ id: string; url: string }> {
  const { id } = (await call('POST /agreements', { name: 'Contract', document_id, recipients: RECIPIENTS })).body;
  return { id, url: (await call(`POST /agreements/${id}/send`)).body.recipients[0].signing_url };
}

async function createProposal(fields: object = {}): Promise<string> {
  const items = [{ description: 'Seats', quantity: 3, unit_price: 2000 }];
  const { id } = (await call('POST /proposals', { name: 'Offer', recipients: RECIPIENTS, items, ...fields })).body;
  return (await call(`POST /proposals/${id}/send`)).body.url;
}

/** Pages with a form: how to fill it in, and the result. */
const FORMS = {
  gate: {
    url: () => createLink({ document_id: smallId, email_required: true }),
    fill: (page: Page) => page.getByLabel('Your email address').fill('ada@example.com'),
    typed: (page: Page) => page.getByLabel('Your email address').inputValue(),
    button: 'View document',
    done: '#sheet[data-shown]',
  },
  signing: {
    url: async () => (await createAgreement()).url,
    fill: async (page: Page) => {
      await page.locator('#sheets canvas').waitFor();
      await page.getByLabel('Type your full name').fill('ada@example.com');
      await page.getByLabel('I agree to sign').check();
    },
    typed: (page: Page) => page.getByLabel('Type your full name').inputValue(),
    button: 'Sign',
    done: '.done',
  },
  proposal: {
    url: () => createProposal(),
    fill: async () => undefined,
    typed: async () => 'ada@example.com',
    button: 'Accept',
    done: '.done',
  },
} as const;

/** Connection faults, and how each ends. */
const FAULTS = {
  offline: async (page: Page) => {
    await page.context().setOffline(true);
    return () => page.context().setOffline(false);
  },
  503: async (page: Page) => {
    await page.route('**/*', (route) => route.fulfill({ status: 503, body: 'busy' }));
    return () => page.unroute('**/*');
  },
} as const;

const byFault = Object.entries(FORMS).flatMap(([name, form]) =>
  Object.entries(FAULTS).map(([fault, begin]) => ({ name, fault, form, begin })),
);

test.each(byFault)('$name, $fault: typed values are kept, and the same button works afterwards', async (entry) => {
  const { form, begin } = entry;
  const page = await open(await form.url());
  await form.fill(page);
  const end = await begin(page);
  const button = page.getByRole('button', { name: form.button, exact: true });
  await button.click();
  await page.getByText('Nothing was sent').waitFor();
  expect(await form.typed(page)).toBe('ada@example.com');
  await end();
  await button.click();
  await page.locator(form.done).waitFor();
});

test.each(Object.entries(FORMS))('%s: a double click submits once, and Back shows the result', async (_, form) => {
  const page = await open(await form.url());
  await form.fill(page);
  await page.getByRole('button', { name: form.button, exact: true }).dblclick();
  await page.locator(form.done).waitFor();
  await page.reload();
  await page.locator(form.done).waitFor();
  expect(await page.getByRole('button', { name: form.button, exact: true }).count()).toBe(0);
});

test.each(Object.entries(FAULTS))('the reader, %s: it continues at the same page', async (_, begin) => {
  const document = await store(await drawLargePdf({ pages: 40, bytesPerPage: 60_000 }));
  const page = await open(await createLink({ document_id: document }));
  await page.locator('#sheet[data-shown="1"]').waitFor();
  const end = await begin(page);
  await page.getByLabel('Page', { exact: true }).fill('20');
  await page.keyboard.press('Enter');
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await end();
  await retry.click({ timeout: 5_000 }).catch(() => null);
  await page.getByText('Leaf 21').waitFor();
  await retry.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Page', { exact: true }).inputValue()).toBe('21');
});

test('Sign waits for a document that is still opening and keeps the typed values', async () => {
  const { page } = await openPage(browser);
  onTestFinished(() => page.context().close());
  const opened = Promise.withResolvers<void>();
  await page.route('**/file?**', async (route) => {
    await opened.promise;
    await route.continue();
  });
  await page.goto((await createAgreement()).url);
  await page.getByLabel('Type your full name').fill('Ada');
  await page.getByLabel('I agree to sign').check();
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('Waiting for the document').waitFor();
  opened.resolve();
  await page.locator('.done').waitFor();
  expect(await page.locator('.done').textContent()).toContain('Ada');
});

test('a link that ends during a visit shows this and offers no file', async () => {
  const { id, url } = (await call('POST /links', { document_id: smallId })).body;
  const page = await open(url);
  await page.locator('#sheet[data-shown="1"]').waitFor();
  await call(`DELETE /links/${id}`);
  await page.getByRole('alert').filter({ hasText: 'expired or was deleted' }).waitFor();
  expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0);
});

test('a visitor who is not on the list of a room sees this and can enter another email address', async () => {
  const room = (await call('POST /rooms', { name: 'Deal room' })).body.id;
  const folder = (await call(`POST /rooms/${room}/folders`, { name: 'Financials' })).body.id;
  await call(`POST /rooms/${room}/files`, { document_id: smallId, folder_id: folder });
  const group = (await call(`POST /rooms/${room}/groups`, { name: 'Investors', emails: ['ada@example.com'] })).body.id;
  await call(`PUT /rooms/${room}/permissions`, { permissions: [{ group_id: group, access: 'view' }] });
  const page = await open(await createLink({ room_id: room, email_required: true }));
  const enter = async (email: string) => {
    await page.getByLabel('Your email address').fill(email);
    await page.keyboard.press('Enter');
  };
  await enter('eve@example.com');
  await page.getByRole('heading', { name: 'No access' }).waitFor();
  await page.getByRole('link', { name: 'Use another email address' }).click();
  await enter('ada@example.com');
  const contents = page.getByRole('region', { name: 'In this room' });
  await contents.getByRole('heading', { name: 'Financials' }).waitFor();
  expect(await contents.textContent()).toContain('file.pdf');
  await contents.getByRole('link', { name: 'Download Document' }).waitFor();
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

test.each([
  ['an image', 'a.png', 'image/png', PIXEL, '#sheet img'],
  ['a text', 'a.txt', 'application/octet-stream', 'Some words', '#sheet pre'],
  ['a video', 'a.webm', 'video/webm', 'no video', '#sheet video'],
  ['slides', 'a.pptx', 'application/octet-stream', 'PK', 'text=No preview for .pptx files'],
])('%s is displayed, or named if it cannot be', async (_, name, type, bytes, selector) => {
  const page = await open(await createLink({ document_id: await store(bytes, name, type) }));
  await page.locator(selector).waitFor();
  expect(await page.locator('#opening').count()).toBe(selector.startsWith('text') ? 0 : 1);
});

test('links in a PDF lead to its pages', async () => {
  const pdf = await PDFDocument.load(await drawDocument(['One', 'Two', 'Three']));
  const { context } = pdf;
  const link = { Type: 'Annot', Subtype: 'Link', Rect: [60, 600, 200, 660], Dest: [pdf.getPage(2).ref, 'Fit'] };
  pdf.getPage(0).node.set(PDFName.of('Annots'), context.obj([context.register(context.obj(link))]));
  const page = await open(await createLink({ document_id: await store(await pdf.save()) }));
  await page.getByRole('link', { name: 'Go to another page' }).click();
  await page.locator('#sheet[data-shown="3"]').waitFor();
  expect(await page.getByLabel('Page', { exact: true }).inputValue()).toBe('3');
});

test('one broken page leaves the others readable, and signing asks about it', async () => {
  const pdf = await PDFDocument.load(await drawDocument(['One', 'Two', 'Three']));
  pdf.context.delete(pdf.getPage(1).ref);
  const page = await open((await createAgreement(await store(await pdf.save()))).url, { width: 390, height: 844 });
  await page.getByText('One').waitFor();
  await page.getByRole('alert').filter({ hasText: 'can’t be displayed' }).waitFor();
  await page.getByLabel('This page has not displayed').waitFor();
  expect(await page.locator('#sheets canvas').count()).toBe(1);
});

test('the signing page of a 352-page document renders only a few pages, wherever it is scrolled', async () => {
  const documentId = await store(await drawDocument(Array.from({ length: 352 }, (_, index) => `Leaf ${index + 1}`)));
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto((await createAgreement(documentId)).url);
  await page.locator('#sheets canvas').first().waitFor();
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, step % 3 === 2 ? -2_000 : 6_000);
    await page.waitForTimeout(20);
  }
  await page.locator('#sheets canvas').first().waitFor();
  await page.waitForTimeout(1_000);
  const bytes = await page.evaluate(() =>
    Array.from(document.querySelectorAll('canvas')).reduce((sum, { width, height }) => sum + 4 * width * height, 0),
  );
  expect(bytes).toBeLessThan(80_000_000);
  expect(await page.locator('[name=seen]').inputValue()).toBe('');
});

test('the first page of a small file appears within 15 seconds at 400 kbit/s, with a progress bar', async () => {
  const { page } = await openPage(browser);
  onTestFinished(() => page.context().close());
  let received = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    received += encodedDataLength;
  });
  const loading = page.waitForFunction(() => /\d %/.test(document.getElementById('opening')?.textContent ?? ''));
  await page.goto(await createLink({ document_id: smallId }));
  await page.locator('#sheet[data-shown="1"]').waitFor();
  await loading.catch(() => null);
  expect(received).toBeLessThan(15 * 50_000);
});

test('proposals show line breaks and can be declined', async () => {
  const page = await open(await createProposal({ message: 'Dear Ada,\n\nas discussed.' }));
  expect((await page.locator('blockquote').innerText()).split('\n').length).toBe(3);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('status').filter({ hasText: 'Declined' }).waitFor();
});
