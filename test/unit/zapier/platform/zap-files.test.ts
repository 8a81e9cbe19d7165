/** Files on their way through a step: what is no file is given up, what is slow ends with the step, what is sent again is fetched again. */
import { EventEmitter } from 'node:events';
import { globalAgent } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fetchSignedDocument } from '../../../../zapier/hydrators/signed-document.ts';
import { TimeoutError } from '../../../../zapier/platform/client-core.ts';
import { openFileUrl } from '../../../../zapier/platform/open-file-url.ts';
import { getStepRun } from '../../../../zapier/platform/step-run.ts';
import { createTruncationGuard } from '../../../../zapier/platform/truncated-responses.ts';
import { createZapTransport } from '../../../../zapier/platform/zapier-transport.ts';
import { zapStep } from '../../../support/zap-step.ts';
import { platformWith } from '../../../support/zapier-z.ts';
import { texts } from '../../../zapier/texts.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Headers_ = Readonly<Record<string, string>>;
/** An address of a file: what came of each time that it was asked for. */
function host(headers: Headers_, text: string) {
  const bodies: Readable[] = [];
  const z = platformWith({
    request: async () => {
      const body = Readable.from([Buffer.from(text)]);
      bodies.push(body);
      return { status: 200, headers: new Headers(headers), body };
    },
  });
  return { z, bodies };
}
type Source = Awaited<ReturnType<typeof openFileUrl>>['source'];
async function read(source: Source): Promise<string> {
  const bytes = 'stream' in Object(source) ? (source as { stream(): AsyncIterable<Uint8Array> }).stream() : source;
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
const PAGE = '<!DOCTYPE html><html></html>';

describe('the address of a file', () => {
  test.each<[string, Headers_, string]>([
    [texts.filesUrlReturnedWeb, { 'content-type': 'text/html; charset=utf-8' }, texts.filesUrlReturnedWeb],
    [texts.isOfAFileThat, { 'content-length': '100000001' }, 'has 101 MB'],
  ])('that %s is refused, and its connection given back', async (_, headers, words) => {
    const { z, bodies } = host(headers, PAGE);
    await expect(openFileUrl(z, 'https://files.test/deck.pdf')).rejects.toThrow(words);
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test.each([
    ['page.html', 'text/html', true],
    ['notes.txt', 'text/plain', true],
    ['deck.pdf', 'application/pdf', false],
    ['deck', 'application/octet-stream', false],
  ])('of %s, as %s, may begin as a web page does: %s', async (name, type, isTaken) => {
    const { source } = await openFileUrl(host({ 'content-type': type }, PAGE).z, `https://files.test/${name}`);
    if (isTaken) expect(await read(source)).toBe(PAGE);
    else await expect(read(source)).rejects.toThrow(texts.filesUrlReturnedWeb);
  });

  test('is asked again for bytes that have to be sent again', async () => {
    const { z, bodies } = host({ 'content-length': '9' }, '%PDF-deck');
    const { source } = await openFileUrl(z, 'https://files.test/deck.pdf');
    expect(bodies).toHaveLength(1);
    expect([await read(source), await read(source)]).toEqual(['%PDF-deck', '%PDF-deck']);
    expect(bodies).toHaveLength(2);
  });

  test('is not given up for how its bytes begin', async () => {
    const { z } = host({ 'content-length': '99000000' }, 'd');
    const { source } = await openFileUrl(z, 'https://files.test/deck.mp4');
    const bytes = (source as { stream(): AsyncIterable<Uint8Array> }).stream()[Symbol.asyncIterator]();
    expect((await bytes.next()).value).toEqual(Buffer.from('d'));
    await bytes.return?.();
  });

  test('that does not answer is given up with the step, before its own time is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const z = platformWith({
      request: ({ signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    getStepRun(z);
    await vi.advanceTimersByTimeAsync(22_000);
    let error: unknown;
    const opened = openFileUrl(z, 'https://files.test/deck.pdf').catch((reason: unknown) => {
      error = reason;
    });
    await vi.advanceTimersByTimeAsync(1_600);
    expect(error).toBeInstanceOf(TimeoutError);
    await opened;
  });
});

test.each([
  ['NDA', 'application/pdf', 'NDA.pdf'],
  ['NDA.PDF', 'application/pdf', 'NDA.PDF'],
  ['NDA.docx', 'application/msword', 'NDA.docx'],
])('a signed document that comes as %s, of type %s, is stored as %s', async (name, type, stored) => {
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
  const step = zapStep(({ path }) =>
    path === '/agreements/a1/document'
      ? { json: { url: 'https://files.test/x' } }
      : { bytes: Readable.from([Buffer.from('x')]), headers },
  );
  const names: unknown[] = [];
  Object.assign(step.z, { stashFile: async (_: unknown, _size: unknown, given: string) => names.push(given) });
  await step.run(fetchSignedDocument, { inputData: { agreement_id: 'a1' } });
  expect(names).toEqual([stored]);
});

test('a write that broke off counts as open no longer: what became of it is told by its own error', async () => {
  const z = platformWith({ request: () => Promise.reject(new Error('cut off')) });
  const sent = createZapTransport(z)({
    method: 'POST',
    url: 'https://api.test/api/v1/links',
    headers: { authorization: 'Bearer key' },
  });
  await expect(sent).rejects.toThrow('cut off');
  expect(getStepRun(z).getWriteStatus()).toBe('nothing');
});

test.each(['before', 'after'])('a body ends with the fault of its answer that came %s it was seen', (when) => {
  vi.spyOn(globalAgent as unknown as { addRequest(): void }, 'addRequest').mockReturnValue();
  const { agent, guard } = createTruncationGuard();
  const agentOf = agent as unknown as (url: URL) => { addRequest(request: EventEmitter): void };
  const request = Object.assign(new EventEmitter(), { shouldKeepAlive: true });
  agentOf(new URL('http://files.test/')).addRequest(request);
  // A connection that was kept while the platform slept would be dead.
  expect(request.shouldKeepAlive).toBe(false);
  const answer = new EventEmitter();
  request.emit('response', answer);
  const fault = new Error('reset');
  const ends: Error[] = [];
  const body = { destroy: (error: Error) => ends.push(error) } as unknown as NodeJS.ReadableStream;
  if (when === 'after') guard(body);
  answer.emit('error', fault);
  if (when === 'before') guard(body);
  expect(ends).toEqual([fault]);
});
