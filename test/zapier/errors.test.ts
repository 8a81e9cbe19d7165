import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fields } from '../support/zapier-lambda.ts';
import { openWorld, type World } from '../support/zapier-world.ts';
import { texts } from './texts.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const CREATE = 'creates.create_link.operation.perform';
const FIND = 'searches.find_document.operation.perform';
const refuse = (method: string, inputData: Fields, more: Fields = {}) =>
  world.zap.refusal(method, { inputData, ...more });

describe('a refusal tells what happened and what to do', () => {
  test('a missing scope is named', async () => {
    const authData = { apiKey: world.sandbox.key(['documents:read']), baseUrl: world.sandbox.url };
    const refusal = await refuse(CREATE, { document: 'doc_1' }, { authData });
    expect(refusal).toMatchObject({ name: 'AppError', code: 'missing_scope', status: 403 });
    expect(refusal.message).toBe(texts.apiKeyLacksPermissionLinks);
  });

  test('a dead key expires the connection, so that runs are held', async () => {
    world.sandbox.revoke(world.key);
    const refusal = await refuse(CREATE, { document: 'doc_1' });
    expect(refusal.name).toBe('ExpiredAuthError');
    expect(refusal.message).toContain('reconnect this account');
  });

  test('an unknown record is to be picked again', async () => {
    const refusal = await refuse('creates.update_link.operation.perform', { link: 'lnk_gone', email_required: true });
    expect(refusal).toMatchObject({ name: 'AppError', code: 'not_found', status: 404 });
    expect(refusal.message).toContain('This link was not found');
  });

  test('values that the service refuses are quoted', async () => {
    const input = { email: 'ann@x.example', fields_json: '{"company": 5}' };
    world.sandbox.faults.add({ operation: 'contacts.create', status: 422, body: 'company: no text', times: 1 });
    const refusal = await refuse('creates.create_contact.operation.perform', input);
    expect(refusal).toMatchObject({ name: 'AppError', code: 'invalid_input', status: 422 });
    expect(refusal.message).toMatch(texts.correctFieldsStepTry);
  });

  test('a state that forbids the act halts the run and never turns the Zap off', async () => {
    const { agreement } = await world.share();
    const refusal = await refuse('creates.send_agreement.operation.perform', { agreement });
    expect(refusal.name).toBe('HaltedError');
    expect(refusal.message).toContain('already sent');
  });

  test('a form that changes nothing is refused before any call', async () => {
    const refusal = await refuse('creates.update_contact.operation.perform', { contact: 'con_1' });
    expect(refusal.message).toContain(texts.thereIsNothingToChange);
    expect(world.sandbox.log.entries()).toEqual([]);
  });

  test('an answer that was lost says that the link may exist, and is not asked for twice', async () => {
    const document = await world.act('upload_document', { file: 'data:,x', name: 'x.txt' });
    world.sandbox.faults.add({ operation: 'links.create', when: 'after', cut: 'reset' });
    const refusal = await refuse(CREATE, { document: document['id'] });
    expect(refusal).toMatchObject({ name: 'AppError', code: 'unknown_outcome' });
    expect(refusal.message).toContain(texts.lookLinkDocshareBefore);
    expect(world.sandbox.log.entries().filter(({ route }) => route === 'POST /links')).toHaveLength(1);
  });

  test('a base URL that answers a web page is named as the likely cause', async () => {
    const authData = { apiKey: world.key, baseUrl: `${world.sandbox.origin}/l` };
    const refusal = await refuse(FIND, { name: 'x' }, { authData });
    expect(refusal.message).toMatch(/base URL/);
  });

  test('a base URL without a secure scheme is refused before the key leaves', async () => {
    const authData = { apiKey: world.key, baseUrl: 'http://docs.example.com/api/v1' };
    expect((await refuse(FIND, { name: 'x' }, { authData })).message).toContain('https://');
  });

  test('no message is longer than the platform takes', async () => {
    world.sandbox.faults.add({ operation: 'links.create', status: 422, body: `{"message":"${'long '.repeat(300)}"}` });
    const refusal = await refuse(CREATE, { document: 'doc_1' });
    expect(refusal.message.length).toBeLessThan(250);
    expect(refusal.message).toMatch(texts.correctFieldsStepTryAgain);
  });
});

describe('a service that wants patience gets it from the platform', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000);
  test.each([
    ['seconds', () => ({ 'retry-after': '90' })],
    ['a date', () => ({ 'retry-after': at(90).toUTCString() })],
    ['RateLimit', () => ({ ratelimit: '"default";r=0;t=90' })],
    ['Unix seconds', () => ({ 'x-ratelimit-reset': String(Math.ceil(at(90).getTime() / 1000)) })],
  ])('a 429 with %s', async (_, headers) => {
    world.sandbox.faults.add({ operation: 'documents.list', status: 429, headers: headers() });
    const refusal = await refuse(FIND, { name: 'x' });
    expect(refusal.name).toBe('ThrottledError');
    expect(refusal.delay).toBeGreaterThan(80);
    expect(refusal.delay).toBeLessThanOrEqual(91);
  });

  test('a 503 that says when, on a call that must not be sent twice', async () => {
    world.sandbox.faults.add({ operation: 'links.create', status: 503, headers: { 'retry-after': '120' } });
    expect(await refuse(CREATE, { document: 'doc_1' })).toMatchObject({ name: 'ThrottledError', delay: 120 });
  });

  test('a short wait is waited for in the run', async () => {
    world.sandbox.faults.add({ operation: 'documents.list', status: 429, headers: { 'retry-after': '1' }, times: 1 });
    const found = await world.zap.run<Fields[]>(FIND, { inputData: { name: 'no such document' } });
    expect(found).toEqual([]);
  });
});

test('a step that was throttled between upload and link uploads nothing twice', async () => {
  const uploads = () => world.sandbox.log.entries().filter(({ route }) => route === 'POST /documents');
  world.sandbox.faults.add({ operation: 'links.create', status: 503, headers: { 'retry-after': '60' }, times: 1 });
  const inputData = { file: 'data:,Look.', name: 'Look.txt' };
  expect(await refuse('creates.share_document.operation.perform', inputData)).toMatchObject({ name: 'ThrottledError' });
  expect(await world.act('share_document', inputData)).toMatchObject({ document_name: 'Look.txt' });
  expect(uploads()).toHaveLength(1);
  await world.act('share_document', inputData);
  expect(uploads()).toHaveLength(2);
});

describe('a service that knows fields by other names', () => {
  const sent = () => world.sandbox.log.entries().filter(({ route }) => route === 'POST /proposals');

  test('is offered the next usual name where the refusal is about names', async () => {
    world.sandbox.faults.add({
      operation: 'proposals.create',
      status: 422,
      body: '{"error":"title is required"}',
      times: 1,
    });
    expect(await world.act('create_proposal', { name: 'Deal' })).toMatchObject({ name: 'Deal' });
    expect(sent()).toHaveLength(2);
  });

  test('is not offered another where the refusal is about a value', async () => {
    world.sandbox.faults.add({ operation: 'proposals.create', status: 422, body: '{"error":"name is too long"}' });
    const refusal = await refuse('creates.create_proposal.operation.perform', { name: 'Deal' });
    expect(refusal.message).toContain(texts.nameIsTooLong);
    expect(sent()).toHaveLength(1);
  });
});

test('a link whose creation answers with its address alone is found by it', async () => {
  const document = await world.act('upload_document', { file: 'data:,x', name: 'x.txt' });
  const made = await world.act('create_link', { document: document['id'] });
  world.sandbox.faults.add({
    operation: 'links.create',
    status: 201,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: made['url'] }),
  });
  expect(await world.act('create_link', { document: document['id'] })).toMatchObject({ id: made['id'] });
});
