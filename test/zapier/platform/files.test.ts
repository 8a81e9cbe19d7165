import { EventEmitter } from 'node:events';
import { globalAgent } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import app from '../../../zapier/index.ts';
import { createTruncationGuard } from '../../../zapier/platform/truncated-responses.ts';
import { type Item, outcomeOf, type ZapAnswer, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

type Head = Readonly<Record<string, string>>;
const PAGE = '<!DOCTYPE html><html></html>';

/** A host with one file, and a service that stores it; `store` handles the storage request. */
function serve(headers: Head, content: () => Iterable<Buffer> | AsyncIterable<Buffer>, store = () => 200) {
  const bodies: Readable[] = [];
  const step = zapStep(({ method, path }): ZapAnswer => {
    if (path === '/documents/uploads')
      return { json: { uploadUrl: 'https://store.test/put', headers: {}, storageKey: 'k', token: 't' } };
    if (path === '/put') return { status: store(), json: {} };
    if (method === 'POST') return { status: path === '/documents' ? 415 : 201, json: { id: 'd1' } };
    bodies.push(Readable.from(content()));
    return { headers: { 'content-type': 'application/octet-stream', ...headers }, bytes: bodies.at(-1) as Readable };
  });
  const upload = (name: string) => outcomeOf(step.act('upload_document', { file: `https://files.test/${name}` }));
  return { ...step, bodies, upload };
}
const text = (content: string) => () => [Buffer.from(content)];

test.each<[string, Head, string]>([
  ['a web page', { 'content-type': 'text/html; charset=utf-8' }, texts.filesUrlReturnedWeb],
  ['too large', { 'content-length': '100000001' }, 'has 101 MB'],
])('a URL with content that is %s is rejected, and its connection is closed', async (_, headers, words) => {
  const { upload, bodies, calls } = serve(headers, text(PAGE));
  expect(await upload('deck.pdf')).toContain(words);
  expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(calls).toHaveLength(1);
});

test.each([
  ['page.html', 'text/html', true],
  ['notes.txt', 'text/plain', true],
  ['deck.pdf', 'application/pdf', false],
  ['deck', 'application/octet-stream', false],
])('whether a file %s of type %s may begin like a web page: %s', async (name, type, isAccepted) => {
  expect(await serve({ 'content-type': type }, text(PAGE)).upload(name)).toEqual(
    isAccepted ? expect.objectContaining({ id: 'd1' }) : expect.stringContaining(texts.filesUrlReturnedWeb),
  );
});

test.each<[Item, Item]>([
  [{}, { id: 'd1', name: 'Q3' }],
  [{ document: 'd1' }, { id: 'd1', name: null }],
])('a document with the input %j returns %j: a new version does not rename it', async (input, shown) => {
  const { act } = serve({ 'content-length': '9' }, text('%PDF-deck'));
  expect(await act('upload_document', { file: 'https://files.test/a.pdf', name: 'Q3', ...input })).toMatchObject(shown);
});

test.each<[number, Item, string]>([
  [422, {}, 'document from it: "The PDF has a password". Change the file or this step'],
  [422, { document: 'd1' }, 'the new version: "The PDF has a password". If "New Version Of" is wrong'],
  [409, {}, 'document from it: "The PDF has a password". Look for it in Docshare'],
])('a file rejected with %i after its upload is reported with the reason and advice', async (status, input, words) => {
  const { act, z } = serve({ 'content-length': '9' }, text('%PDF-deck'));
  const { request } = z;
  z.request = (async (options: { url: string }) => {
    const reason = Readable.from([Buffer.from('{"message": "The PDF has a password"}')]);
    return { ...(await request(options as never)), ...(options.url.endsWith('/finalize') && { status, body: reason }) };
  }) as never;
  expect(await outcomeOf(act('upload_document', { file: 'https://files.test/a.pdf', ...input }))).toContain(words);
});

test('a file is fetched again if its bytes are sent again', async () => {
  let puts = 0;
  const { upload, routes } = serve({ 'content-length': '9' }, text('%PDF-deck'), () => (++puts === 1 ? 503 : 200));
  expect(await upload('deck.pdf')).toMatchObject({ id: 'd1' });
  const [GET, PUT] = ['GET /deck.pdf', 'PUT /put'];
  expect(
    routes()
      .filter((route) => [GET, PUT].includes(route))
      .slice(-4),
  ).toEqual([GET, PUT, GET, PUT]);
});

test('a file without a length is rejected as soon as it is too large', async () => {
  const chunk = Buffer.alloc(10_000_000, 'x');
  let sent = 0;
  async function* endless() {
    for (; sent < 20; sent += 1) yield chunk;
  }
  expect(await serve({}, endless).upload('a.mp4')).toContain(texts.fileLargerThan100);
  expect(sent).toBeLessThan(20);
});

test('a URL that does not respond is given up when the step ends, before its own timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { upload, z, bodies } = serve({ 'content-length': '9' }, text('%PDF-deck'));
  const { request } = z;
  // The service takes 22 seconds to reject the first upload method; the second one needs the file again.
  z.request = (async (options: { url: string; signal: AbortSignal }) => {
    if (options.url.endsWith('/documents')) await new Promise((resolve) => setTimeout(resolve, 22_000));
    if (bodies.length === 0 || !options.url.startsWith('https://files.test')) return request(options as never);
    return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)));
  }) as never;
  let outcome: unknown;
  void upload('deck.pdf').then((ended) => (outcome = ended));
  await vi.advanceTimersByTimeAsync(22_000);
  expect(outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_600);
  expect(outcome).toContain(texts.soNoDocumentWasCreated);
});

describe('a signed document', () => {
  const { fetchSignedDocument } = app.hydrators ?? {};
  const fetchDocument = (answer: ZapAnswer) => {
    const step = zapStep(({ path }) =>
      path === '/agreements/a1/document' ? { json: { url: 'https://files.test/x' } } : answer,
    );
    const names: unknown[] = [];
    Object.assign(step.z, { stashFile: async (_: unknown, _size: unknown, name: string) => names.push(name) });
    return { names, outcome: outcomeOf(step.run(fetchSignedDocument, { inputData: { agreement_id: 'a1' } })) };
  };
  test.each([
    ['NDA', 'application/pdf', 'NDA.pdf'],
    ['NDA.PDF', 'application/pdf', 'NDA.PDF'],
  ])('that is named %s and has the type %s is stored as %s', async (name, type, stored) => {
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
    const { names, outcome } = fetchDocument({ bytes: Readable.from([Buffer.from('x')]), headers });
    await outcome;
    expect(names).toEqual([stored]);
  });
  test('that is larger than Zapier accepts is rejected, and its connection is closed', async () => {
    const bytes = Readable.from([Buffer.from('%PDF-1.7'), Buffer.from('…')]);
    const headers = { 'content-type': 'application/pdf', 'content-length': '100000001' };
    expect(await fetchDocument({ bytes, headers }).outcome).toContain('The signed document is 101 MB');
    expect(bytes.destroyed).toBe(true);
  });
  test.each(['', '<!doctype html><p>Sign in', '{"error":"expired"}'])('is not stored if it is %j', async (text) => {
    const headers = { 'content-type': 'application/pdf' };
    const { names, outcome } = fetchDocument({ bytes: Readable.from(text === '' ? [] : [Buffer.from(text)]), headers });
    expect([await outcome, names]).toEqual([expect.stringMatching(/^Error: .*instead of the signed document/), []]);
  });
  test.each<[object, string]>([
    [{ status: 'Processing' }, 'ThrottledError'],
    [{ download_url: null }, 'ThrottledError'],
    [{ content: 'JVBERi0=' }, 'Error'],
  ])('whose URL is missing in %j ends with a %s', async (json, name) => {
    const step = zapStep(() => ({ json }));
    const outcome = await outcomeOf(step.run(fetchSignedDocument, { inputData: { agreement_id: 'a1' } }));
    expect(String(outcome).split(':')[0]).toBe(name);
  });
  test.each([202, 204, 400, 404, 409, 422, 425])('with status %i is fetched again later', async (status) => {
    const fetchWith = (json: object) => {
      const step = zapStep(() => ({ status, ...(status === 204 ? {} : { json }) }));
      return outcomeOf(step.run(fetchSignedDocument, { inputData: { agreement_id: 'a1' } }));
    };
    expect(await fetchWith({})).toMatch(new RegExp(`^ThrottledError: ${texts.signedDocumentReadyYet}`));
    if (status === 404) expect(await fetchWith({ code: 'insufficient_scope' })).toMatch(/^Error: .*envelopes:read/);
  });
});

test.each(['before', 'after'])('a body ends with an error of its response that occurs %s it is read', (when) => {
  vi.spyOn(globalAgent as unknown as { addRequest(): void }, 'addRequest').mockReturnValue();
  const { agent, guard } = createTruncationGuard();
  const getAgent = agent as unknown as (url: URL) => { addRequest(request: EventEmitter): void };
  const request = Object.assign(new EventEmitter(), { shouldKeepAlive: true });
  getAgent(new URL('http://files.test/')).addRequest(request);
  // A connection that was kept while the platform slept would be dead.
  expect(request.shouldKeepAlive).toBe(false);
  const response = new EventEmitter();
  request.emit('response', response);
  const error = new Error('reset');
  const ends: Error[] = [];
  const body = { destroy: (reason: Error) => ends.push(reason) } as unknown as NodeJS.ReadableStream;
  if (when === 'after') guard(body);
  response.emit('error', error);
  if (when === 'before') guard(body);
  expect(ends).toEqual([error]);
});
