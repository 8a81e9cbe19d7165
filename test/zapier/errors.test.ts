import { expect, test } from 'vitest';
import { closeAfterTest } from '../support/cleanup.ts';
import { type Fields, openZapierContext, openZapOnService } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

const open = () => closeAfterTest(openZapierContext());

test('a pause that a read or a write must wait for becomes the delay of the platform', async () => {
  const { sandbox, zap } = await open();
  const inTwoMinutes = { 'retry-after': '120' };
  sandbox.faults.add({ operation: 'links.create', status: 503, headers: inTwoMinutes });
  const throttled = { name: 'ThrottledError', delay: 120 };
  expect(await zap.actError('create_link', { document: 'doc_1' })).toMatchObject(throttled);
  sandbox.faults.add({ operation: 'documents.list', status: 429, headers: inTwoMinutes });
  const find = { inputData: { name: 'x' } };
  expect(await zap.runError('searches.find_document.operation.perform', find)).toMatchObject(throttled);
});

test('a short pause is awaited within the run', async () => {
  const { sandbox, zap } = await open();
  sandbox.faults.add({ operation: 'documents.list', status: 429, headers: { 'retry-after': '1' }, times: 1 });
  expect(await zap.find('find_document', { name: 'no such document' })).toEqual([]);
});

test('a step that is throttled between upload and link uploads the file once', async () => {
  const context = await open();
  const uploads = () => context.sandbox.log.entries().filter(({ route }) => route === 'POST /documents');
  context.sandbox.faults.add({ operation: 'links.create', status: 503, headers: { 'retry-after': '60' }, times: 1 });
  const inputData = { file: 'data:,Look.', name: 'Look.txt' };
  expect(await context.zap.actError('share_document', inputData)).toMatchObject({ name: 'ThrottledError' });
  expect(await context.act('share_document', inputData)).toMatchObject({ document_name: 'Look.txt' });
  expect(uploads()).toHaveLength(1);
  await context.act('share_document', inputData);
  expect(uploads()).toHaveLength(2);
});

test.each([
  [429, 'ThrottledError'],
  [500, 'HaltedError'],
])('a stored file whose registration fails with status %i is not registered twice: %s', async (status, name) => {
  const context = await open();
  const document = await context.act('upload_document', { file: 'data:,x', name: 'x.txt' });
  const retryAfter = status === 429 ? { headers: { 'retry-after': '60' } } : {};
  context.sandbox.faults.add({ operation: 'documents.finalizeUpload', when: 'after', status, ...retryAfter, times: 1 });
  const inputData = { file: 'data:,y', document: document['id'] };
  expect(await context.zap.actError('upload_document', inputData)).toMatchObject({ name });
});

test('a link whose creation returns only its URL is found by the URL', async () => {
  const context = await open();
  const document = await context.act('upload_document', { file: 'data:,x', name: 'x.txt' });
  const made = await context.act('create_link', { document: document['id'] });
  context.sandbox.faults.add({
    operation: 'links.create',
    status: 201,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: made['url'] }),
  });
  expect(await context.act('create_link', { document: document['id'] })).toMatchObject({ id: made['id'] });
});

let page = false;
const { service, zap } = await openZapOnService(({ method }) => {
  if (page) return { headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Log in</title>' };
  return method === 'GET' ? { json: { data: [] } } : { status: 202, text: 'queued' };
});

test.each<[string, Fields, Fields]>([
  ['update_link', { link: 'l', email_required: true }, { id: 'l', email_required: true }],
  ['update_contact', { contact: 'c', name: 'Ann' }, { id: 'c', name: 'Ann' }],
  ['create_room', { name: 'R' }, { id: null, name: 'R' }],
  ['send_agreement', { agreement: 'a' }, { id: 'a' }],
  ['send_proposal', { proposal: 'p' }, { id: 'p' }],
])('%s continues with the values of the form', async (key, input, expected) => {
  const before = service.requests.length;
  expect(await zap.act(key, input)).toMatchObject({ ...expected, raw: { note: texts.callSucceeded } });
  expect(service.requests.slice(before).filter(({ method }) => method !== 'GET')).toHaveLength(1);
});

test('a deletion has succeeded', async () => {
  expect(await zap.act('delete_link', { link: 'l' })).toMatchObject({ id: 'l', deleted: true });
});

test('the error of a link without its URL says that the link was created; a web page says where to look', async () => {
  const made = await zap.actError('create_link', { document: 'd', email_required: true });
  expect(made.message).toBe(texts.docshareCompletedStepBut);
  page = true;
  const elsewhere = await zap.actError('create_link', { document: 'd' });
  page = false;
  expect(elsewhere.message).toMatch(texts.checkConnectionsBaseUrl);
});
