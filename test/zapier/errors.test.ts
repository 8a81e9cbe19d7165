/** How long the platform waits for a service that asks for a pause, and what a step continues with after it. */
import { expect, test } from 'vitest';
import { closeAfterTest } from '../support/cleanup.ts';
import { type Fields, openZapierContext } from '../support/zapier-lambda.ts';

const open = () => closeAfterTest(openZapierContext());
const FIND = 'searches.find_document.operation.perform';

test('a pause that a read or a write must wait for becomes the delay of the platform', async () => {
  const { sandbox, zap } = await open();
  const inTwoMinutes = { 'retry-after': '120' };
  sandbox.faults.add({ operation: 'links.create', status: 503, headers: inTwoMinutes });
  const made = zap.runError('creates.create_link.operation.perform', { inputData: { document: 'doc_1' } });
  expect(await made).toMatchObject({ name: 'ThrottledError', delay: 120 });
  sandbox.faults.add({ operation: 'documents.list', status: 429, headers: inTwoMinutes });
  expect(await zap.runError(FIND, { inputData: { name: 'x' } })).toMatchObject({ name: 'ThrottledError', delay: 120 });
});

test('a short pause is awaited within the run', async () => {
  const { sandbox, zap } = await open();
  sandbox.faults.add({ operation: 'documents.list', status: 429, headers: { 'retry-after': '1' }, times: 1 });
  expect(await zap.run<Fields[]>(FIND, { inputData: { name: 'no such document' } })).toEqual([]);
});

test('a step that is throttled between upload and link uploads the file once', async () => {
  const context = await open();
  const uploads = () => context.sandbox.log.entries().filter(({ route }) => route === 'POST /documents');
  context.sandbox.faults.add({ operation: 'links.create', status: 503, headers: { 'retry-after': '60' }, times: 1 });
  const inputData = { file: 'data:,Look.', name: 'Look.txt' };
  const throttled = context.zap.runError('creates.share_document.operation.perform', { inputData });
  expect(await throttled).toMatchObject({ name: 'ThrottledError' });
  expect(await context.act('share_document', inputData)).toMatchObject({ document_name: 'Look.txt' });
  expect(uploads()).toHaveLength(1);
  await context.act('share_document', inputData);
  expect(uploads()).toHaveLength(2);
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
