import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openZapierContext, type ZapierContext } from '../support/zapier-context.ts';
import type { Fields } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

let context: ZapierContext;
beforeEach(async () => {
  context = await openZapierContext();
});
afterEach(() => context.close());

const CREATE = 'creates.create_link.operation.perform';
const FIND = 'searches.find_document.operation.perform';
const getError = (method: string, inputData: Fields, more: Fields = {}) =>
  context.zap.runError(method, { inputData, ...more });

describe('an error says what happened and what to do', () => {
  test('a missing scope is named', async () => {
    const authData = { apiKey: context.sandbox.key(['documents:read']), baseUrl: context.sandbox.url };
    const error = await getError(CREATE, { document: 'doc_1' }, { authData });
    expect(error).toMatchObject({ name: 'AppError', code: 'missing_scope', status: 403 });
    expect(error.message).toBe(texts.apiKeyLacksPermissionLinks);
  });

  test('an invalid key expires the connection, so that Zapier holds the runs', async () => {
    context.sandbox.revoke(context.key);
    const error = await getError(CREATE, { document: 'doc_1' });
    expect(error.name).toBe('ExpiredAuthError');
    expect(error.message).toContain('reconnect this account');
  });

  test('an unknown record must be chosen again', async () => {
    const error = await getError('creates.update_link.operation.perform', { link: 'lnk_gone', email_required: true });
    expect(error).toMatchObject({ name: 'AppError', code: 'not_found', status: 404 });
    expect(error.message).toContain('This link was not found');
  });

  test('values that the service rejects are quoted', async () => {
    const input = { email: 'ann@x.example', fields_json: '{"company": 5}' };
    context.sandbox.faults.add({ operation: 'contacts.create', status: 422, body: 'company: no text', times: 1 });
    const error = await getError('creates.create_contact.operation.perform', input);
    expect(error).toMatchObject({ name: 'AppError', code: 'invalid_input', status: 422 });
    expect(error.message).toMatch(texts.correctFieldsStepTry);
  });

  test('a status that forbids the step halts the run, but never turns the Zap off', async () => {
    const { agreement } = await context.share();
    const error = await getError('creates.send_agreement.operation.perform', { agreement });
    expect(error.name).toBe('HaltedError');
    expect(error.message).toContain('already sent');
  });

  test('after a lost response the error says that the link may exist, and the request is not repeated', async () => {
    const document = await context.act('upload_document', { file: 'data:,x', name: 'x.txt' });
    context.sandbox.faults.add({ operation: 'links.create', when: 'after', cut: 'reset' });
    const error = await getError(CREATE, { document: document['id'] });
    expect(error).toMatchObject({ name: 'AppError', code: 'unknown_outcome' });
    expect(error.message).toContain(texts.lookLinkDocshareBefore);
    expect(context.sandbox.log.entries().filter(({ route }) => route === 'POST /links')).toHaveLength(1);
  });

  test('a base URL that returns a web page is named as the likely cause', async () => {
    const authData = { apiKey: context.key, baseUrl: `${context.sandbox.origin}/l` };
    const error = await getError(FIND, { name: 'x' }, { authData });
    expect(error.message).toMatch(/base URL/);
  });

  test('a base URL without https is rejected before the key is sent', async () => {
    const authData = { apiKey: context.key, baseUrl: 'http://docs.example.com/api/v1' };
    expect((await getError(FIND, { name: 'x' }, { authData })).message).toContain('https://');
  });

  test('no message is longer than the platform accepts', async () => {
    context.sandbox.faults.add({
      operation: 'links.create',
      status: 422,
      body: `{"message":"${'long '.repeat(300)}"}`,
    });
    const error = await getError(CREATE, { document: 'doc_1' });
    expect(error.message.length).toBeLessThan(250);
    expect(error.message).toMatch(texts.correctFieldsStepTryAgain);
  });
});

describe('the platform waits for a service that asks for a pause', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000);
  test.each([
    ['seconds', () => ({ 'retry-after': '90' })],
    ['a date', () => ({ 'retry-after': at(90).toUTCString() })],
    ['RateLimit', () => ({ ratelimit: '"default";r=0;t=90' })],
    ['Unix seconds', () => ({ 'x-ratelimit-reset': String(Math.ceil(at(90).getTime() / 1000)) })],
  ])('a 429 with %s', async (_, headers) => {
    context.sandbox.faults.add({ operation: 'documents.list', status: 429, headers: headers() });
    const error = await getError(FIND, { name: 'x' });
    expect(error.name).toBe('ThrottledError');
    expect(error.delay).toBeGreaterThan(80);
    expect(error.delay).toBeLessThanOrEqual(91);
  });

  test('after a 503 with a Retry-After header, for a request that must not be repeated at once', async () => {
    context.sandbox.faults.add({ operation: 'links.create', status: 503, headers: { 'retry-after': '120' } });
    expect(await getError(CREATE, { document: 'doc_1' })).toMatchObject({ name: 'ThrottledError', delay: 120 });
  });

  test('a short pause is awaited within the run', async () => {
    context.sandbox.faults.add({ operation: 'documents.list', status: 429, headers: { 'retry-after': '1' }, times: 1 });
    const found = await context.zap.run<Fields[]>(FIND, { inputData: { name: 'no such document' } });
    expect(found).toEqual([]);
  });
});

test('a step that is throttled between upload and link uploads the file once', async () => {
  const uploads = () => context.sandbox.log.entries().filter(({ route }) => route === 'POST /documents');
  context.sandbox.faults.add({ operation: 'links.create', status: 503, headers: { 'retry-after': '60' }, times: 1 });
  const inputData = { file: 'data:,Look.', name: 'Look.txt' };
  expect(await getError('creates.share_document.operation.perform', inputData)).toMatchObject({
    name: 'ThrottledError',
  });
  expect(await context.act('share_document', inputData)).toMatchObject({ document_name: 'Look.txt' });
  expect(uploads()).toHaveLength(1);
  await context.act('share_document', inputData);
  expect(uploads()).toHaveLength(2);
});

test('a link whose creation returns only its URL is found by the URL', async () => {
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
