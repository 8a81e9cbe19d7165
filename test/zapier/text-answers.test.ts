/** A 2xx is a success (§7): a Zap continues if the service responds to writes with text. */
import { expect, test } from 'vitest';
import { type Fields, openZapOnService } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

let page = false;
const { service, zap } = await openZapOnService(({ method }) => {
  if (page) return { headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Log in</title>' };
  return method === 'GET' ? { json: { data: [] } } : { status: 202, text: 'queued' };
});

const act = (key: string, inputData: Fields) => zap.run(`creates.${key}.operation.perform`, { inputData });
const note = texts.callSucceeded;

test.each<[string, Fields, Fields]>([
  ['update_link', { link: 'l', email_required: true }, { id: 'l', email_required: true }],
  ['update_contact', { contact: 'c', name: 'Ann' }, { id: 'c', name: 'Ann' }],
  ['create_room', { name: 'R' }, { id: null, name: 'R' }],
  ['send_agreement', { agreement: 'a' }, { id: 'a' }],
  ['send_proposal', { proposal: 'p' }, { id: 'p' }],
])('%s continues with the values of the form', async (key, input, expected) => {
  const before = service.requests.length;
  expect(await act(key, input)).toMatchObject({ ...expected, raw: { note } });
  expect(service.requests.slice(before).filter(({ method }) => method !== 'GET')).toHaveLength(1);
});

test('a deletion has succeeded', async () => {
  expect(await act('delete_link', { link: 'l' })).toMatchObject({ id: 'l', deleted: true });
});

test('the error of a link without its URL says that the link was created; a web page says where to look', async () => {
  const create = 'creates.create_link.operation.perform';
  const made = await zap.runError(create, { inputData: { document: 'd', email_required: true } });
  expect(made.message).toBe(texts.docshareCompletedStepBut);
  page = true;
  const elsewhere = await zap.runError(create, { inputData: { document: 'd' } });
  page = false;
  expect(elsewhere.message).toMatch(texts.checkConnectionsBaseUrl);
});
