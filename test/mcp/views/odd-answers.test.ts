import { expect, test } from 'vitest';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { openView } from '../../support/view-host.ts';
import { texts } from '../texts.ts';

type Json = Record<string, unknown>;
const browser = await closeAfterAll(openBrowser());
const answered = (data: Json, more: Json = {}) => ({
  content: [{ type: 'text', text: '{}' }],
  structuredContent: data,
  ...more,
});

test('extreme times and counts are drawn as zero or the maximum, and long tables are cut', async () => {
  const host = await closeAfterTest(openView(browser, 'reading'));
  const pages = [-5, 1e308, 1e308, ...new Array<number>(2000).fill(1)];
  const answer = { visitors: [{ name: 'A', pages }], documents: Array(201).fill({ name: 'D', views: -3 }) };
  await host.answer(answered(answer));
  await host.frame.locator('button.reader').click();
  await host.frame.getByText('1,503 more pages not shown').waitFor();
  expect(await host.frame.locator('.more tr').count()).toBe(501);
  const text = await host.frame.locator('body').innerText();
  expect([text.includes('1 more in the chat'), text.includes('Most leave')]).toEqual([true, false]);
  expect(host.problems).toEqual([]);
});

test('a visit that cannot be read shows an error', async () => {
  const callTool = async () => answered({}, { isError: true });
  const host = await closeAfterTest(openView(browser, 'reading', { callTool }));
  await host.answer(answered({ visitors: [{ email: 'bob@example.org', visit_ids: ['v'] }] }));
  await host.frame.locator('button.reader').click();
  await host.frame.getByText(texts.theVisitCouldNotBe).waitFor();
  expect(host.sent).toHaveLength(1);
});

test('a result of an unknown format leaves no view waiting', async () => {
  const host = await closeAfterTest(openView(browser, 'pick'));
  await host.page.evaluate(() => {
    const message = { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: 5 } };
    document.querySelector('iframe')?.contentWindow?.postMessage(message, '*');
  });
  await host.frame.getByText(texts.cantBeDisplayedHere).waitFor();
  expect(host.problems).toEqual([]);
});

const pending = { done: false, outcome: 'pending', preview: 'Delete link "l".', confirm_url: 'https://mcp.example/1' };
const card = answered(pending, {
  _meta: { 'docshare/card-request': { id: 't', tool: 'delete_link', arguments: { id: 'l' } } },
});
const decided = { name: 'I have decided' };
const approved = { done: false, approved_by: 'page' };

test('a card that the host passes on again after its result sends no further requests', async () => {
  const callTool = async () => answered({ done: true, id: 'l' });
  const host = await closeAfterTest(openView(browser, 'confirm', { callTool }));
  await host.answer(card);
  await host.frame.getByRole('button', decided).click();
  await host.frame.getByText('Done · l').waitFor();
  await host.answer(card);
  await host.frame.getByText('Done · l').waitFor();
  expect(await host.frame.getByRole('button').count()).toBe(0);
  expect(host.sent.filter(({ kind }) => kind === 'call')).toHaveLength(1);
});

test.each<[string, Json, string]>([
  ['partly done', { ...approved, items: [{ id: 'l' }], failed: [{ id: 'm' }] }, 'Continue in the chat'],
  ['waiting for a file', { ...approved, upload_url: 'https://mcp.example/u' }, 'Continue in the chat'],
  ['done by another call', { done: false, outcome: 'duplicate' }, 'Continue in the chat'],
  ['changed meanwhile', { done: false, outcome: 'changed' }, 'Nothing was done yet'],
  ['declined', { done: false, outcome: 'declined' }, 'Denied'],
])('a card of an action that is %s says so, and gives the result to the model', async (_, data, title) => {
  const asText = { content: [{ type: 'text', text: JSON.stringify(data) }] };
  const host = await closeAfterTest(openView(browser, 'confirm', { callTool: async () => asText }));
  await host.answer(card);
  await host.frame.getByRole('button', decided).click();
  await host.frame.getByRole('heading', { name: title }).waitFor();
  expect(host.sent.at(-1)).toMatchObject({ kind: 'model', params: { structuredContent: { result: data } } });
});

test('a card whose question has expired leads to the page of the new one', async () => {
  const url = 'https://mcp.example/2';
  const can = { serverTools: {}, updateModelContext: {}, openLinks: {} };
  const callTool = async () => answered({ ...pending, confirm_url: url });
  const host = await closeAfterTest(openView(browser, 'confirm', { can, callTool }));
  await host.answer(card);
  await host.frame.getByRole('button', decided).click();
  await expect
    .poll(async () => {
      await host.frame.getByRole('button', { name: 'Review and decide' }).click({ timeout: 1000 });
      return host.sent.filter(({ kind }) => kind === 'link').at(-1)?.params;
    })
    .toEqual({ url });
});

test('a card runs nothing if the host would not give the result to the model', async () => {
  const host = await closeAfterTest(openView(browser, 'confirm', { can: { serverTools: {}, openLinks: {} } }));
  await host.answer(card);
  await host.frame.getByRole('button', { name: 'Review and decide' }).click();
  await expect.poll(() => host.sent).toEqual([{ kind: 'link', params: { url: pending.confirm_url } }]);
});

test('a card without the URL of a page asks once per click, because each call may open the browser', async () => {
  const local = { ...pending, confirm_url: undefined };
  const host = await closeAfterTest(openView(browser, 'confirm', { callTool: async () => answered(local) }));
  await host.answer({ ...card, structuredContent: local });
  await host.frame.getByRole('button', decided).click();
  await host.frame.getByText('There is no decision yet.').waitFor();
  expect(host.sent).toHaveLength(1);
  expect(await host.frame.getByRole('button', decided).isEnabled()).toBe(true);
});
