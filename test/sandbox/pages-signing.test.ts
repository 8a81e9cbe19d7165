import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import {
  createCaller,
  openBrowser,
  openEndpoint,
  openPage,
  readTitle,
  storeDocument,
} from '../support/open-browser.ts';
import { texts } from './texts.ts';

const browser = await closeAfterAll(openBrowser());
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const endpoint = await closeAfterAll(openEndpoint());
const call = createCaller(sandbox);
const documentId = await storeDocument(call, { name: 'Contract', titles: ['Terms', 'More terms'] });
await call('POST /webhooks', { url: endpoint.url, events: ['envelope.signed'] });

async function createAgreement(recipients: readonly { email: string; name: string }[], send = true) {
  const { id } = (await call('POST /agreements', { name: 'Contract', document_id: documentId, recipients })).body;
  if (send) await call(`POST /agreements/${id}/send`);
  const found = (await call('GET /agreements')).body.data.find((entry: { id: string }) => entry.id === id);
  return { id: id as string, urls: found.recipients.map(({ signing_url }: { signing_url: string }) => signing_url) };
}

const ADA = { email: 'ada@example.com', name: 'Ada Lovelace' };

test('two signers sign; the last signature sends the event and the signer can read the signed PDF', async () => {
  const { id, urls } = await createAgreement([ADA, { email: 'ben@example.com', name: 'Ben Okafor' }]);
  const { page, problems } = await openPage(browser, { width: 390, height: 844 });
  for (const [index, url] of urls.entries()) {
    await page.goto(url);
    await page.getByRole('group', { name: 'Page 2 of 2' }).getByText('More terms').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await page.getByRole('link', { name: 'Go to signature' }).click();
    await page.getByLabel(texts.typeYourFullName).fill(`Signer ${index + 1}`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Sign' }).click();
    const done = page.getByRole('status').filter({ hasText: `Signer ${index + 1}` });
    await done.waitFor();
    expect(await done.textContent()).toContain(
      index === 0 ? 'Waiting for 1 more signature' : texts.theAgreementIsComplete,
    );
  }
  expect(problems).toEqual([]);
  await expect
    .poll(() => endpoint.events.map(({ body }) => body))
    .toMatchObject([{ type: 'envelope.signed', data: { agreement_id: id, status: 'signed' } }]);
  // The signer can read the signed document there, including the signature page.
  await page.reload();
  const signature = page.getByRole('group', { name: 'Page 3 of 3' });
  await signature.getByText('Signer 1').first().waitFor();
  await signature.getByText('ben@example.com').first().waitFor();
  await page.context().close();
});

test('signing requires a name, a view of the document and consent, and works only once', async () => {
  const { id, urls } = await createAgreement([ADA]);
  const post = async (fields: Record<string, string>) => {
    const answer = await fetch(urls[0], { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    return { status: answer.status, text: await answer.text() };
  };
  expect(await post({ name: '  ', consent: 'on', seen: '1' })).toMatchObject({
    status: 422,
    text: expect.stringContaining(texts.typeYourFullNameSign),
  });
  expect(await post({ name: 'Ada', consent: 'on' })).toMatchObject({
    status: 422,
    text: expect.stringContaining(texts.pageCouldDisplayDocument),
  });
  expect(await post({ name: 'Ada', seen: '1' })).toMatchObject({
    status: 422,
    text: expect.stringContaining(texts.agreeSignElectronicallyContinue),
  });
  const state = async () =>
    (await call('GET /agreements')).body.data.find((entry: { id: string }) => entry.id === id).status;
  expect(await state()).toBe('sent');
  await fetch(urls[0]);
  expect(await state()).toBe('viewed');
  expect(await post({ name: 'Ada', consent: 'on', seen: '1' })).toMatchObject({ status: 303 });
  expect(await state()).toBe('signed');
  expect(await post({ name: 'Eve', consent: 'on', seen: '1' })).toMatchObject({ status: 303 });
  expect(await (await fetch(urls[0])).text()).toContain('Signed by <bdi>Ada</bdi>');
});

test('an unsent agreement and an unknown signer show different messages', async () => {
  const draft = await createAgreement([ADA], false);
  const sent = await createAgreement([ADA]);
  expect(await readTitle(draft.urls[0])).toEqual({ status: 409, title: 'Not sent yet' });
  expect(await readTitle(`${sandbox.origin}/s/${sent.id}/nobody`)).toEqual({ status: 404, title: 'Not found' });
  expect(await readTitle(`${sandbox.origin}/s/nothing/nobody`)).toEqual({ status: 404, title: 'Not found' });
});
