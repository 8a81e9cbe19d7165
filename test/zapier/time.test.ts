/** However slow the service is, a step ends with its own message before the platform's 30 seconds are over. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { beforeEach, expect, test, vi } from 'vitest';
import { listenForTest } from '../support/listen.ts';
import { json as scriptedJson } from '../support/scripted-service.ts';
import { type Fields, type Platform, startPlatform } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

/** Advances this process's timers until `work` ends; sockets stay real. Fails after `mostMs` of the advanced clock. */
async function advanceUntil<Result>(mostMs: number, work: () => Promise<Result>): Promise<{ result: Result }> {
  const wait = setTimeout;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const startedAt = performance.now();
    let ended: { result: Result } | undefined;
    const done = work().then((result) => {
      ended = { result };
    });
    done.catch(() => undefined);
    while (!ended && performance.now() - startedAt < mostMs) {
      // Sockets need real time.
      await Promise.race([done, new Promise((resolve) => wait(resolve, 5))]);
      await vi.advanceTimersByTimeAsync(250);
    }
    await Promise.race([done, new Promise((resolve) => wait(resolve, 200))]);
    if (!ended) throw new Error(`Not done after ${mostMs} ms.`);
    return ended;
  } finally {
    vi.useRealTimers();
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let runs = 0;
let answers: Record<string, Answer>;
let seen: string[];
let origin: string;
let zap: Platform;

const json = (body: unknown, status = 200): Answer => {
  return (request, response) => void request.resume().on('end', () => scriptedJson(body, status)(request, response));
};
/** A buffer that begins like a PDF. */
function pdfBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write('%PDF-1.7');
  return bytes;
}
const never: Answer = (request) => void request.resume();
/** Sends single bytes without end. */
const trickle: Answer = (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

beforeEach(async () => {
  answers = {};
  seen = [];
  const server = createServer((request, response) => {
    const route = `${request.method} ${new URL(request.url ?? '', 'http://x').pathname}`;
    seen.push(route);
    (answers[route] ?? json({ error: 'nothing here' }, 404))(request, response);
  });
  origin = await listenForTest(server);
  zap = await startPlatform({ apiKey: `key-${++runs}`, baseUrl: `${origin}/api/v1` });
  return () => zap.close();
});

const runError = (method: string, inputData: Fields) =>
  advanceUntil(25_000, () => zap.runError(`${method}.operation.perform`, { inputData }));
const file = (path: string, answer: Answer): string => {
  answers[`GET ${path}`] = answer;
  return `${origin}${path}`;
};
const storage = (put: Answer) => {
  const session = { uploadUrl: `${origin}/put`, headers: { 'Content-Type': 'application/pdf' } };
  answers['POST /api/v1/documents/uploads'] = json({ ...session, storageKey: 'k', token: 't' });
  answers['POST /api/v1/documents/uploads/finalize'] = json({ id: 'doc_1' });
  answers['PUT /put'] = put;
};
const pdf =
  (head: Record<string, string>, write: (response: ServerResponse) => void): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', ...head });
    write(response);
  };
const goodFile = () =>
  file(
    '/good.pdf',
    pdf({ 'content-length': '9000000' }, (response) => void response.end(pdfBytes(9_000_000))),
  );
const SAFE = texts.docshareDidAnswerTime;

test.each([
  ['never responds', never],
  ['sends its response byte by byte', trickle],
])('a read of a service that %s ends with its own message', async (_, answer) => {
  answers['GET /api/v1/rooms'] = answer;
  const { result } = await runError('searches.find_room', { name: 'Acme' });
  expect(result).toMatchObject({ name: 'AppError', message: SAFE, code: 'timeout' });
});

test('many slow pages end in time too', async () => {
  let page = 0;
  answers['GET /api/v1/rooms'] = (request, response) => {
    page += 1;
    setTimeout(() => json({ data: [{ id: page, name: 'x' }], next_cursor: `${page}` })(request, response), 3_000);
  };
  const { result } = await runError('searches.find_room', { name: 'Acme' });
  expect(result).toMatchObject({ name: 'ThrottledError' });
  expect(result.message).toContain('Zapier continues the search');
});

test.each([
  ['new_room', 'rooms'],
  ['agreement_status_changed', 'agreements'],
])('%s reads what it can of many slow pages', async (trigger, list) => {
  let page = 0;
  answers[`GET /api/v1/${list}`] = (request, response) => {
    page += 1;
    const item = { id: page, name: 'x', status: 'sent', created_at: new Date(page * 1000).toISOString() };
    setTimeout(() => json({ data: [item], next_cursor: `${page}` })(request, response), 2_500);
  };
  const poll = () => zap.trigger(trigger, { meta: { zap: { id: 1 } } });
  for (const _ of ['first', 'next']) expect((await advanceUntil(25_000, poll)).result).toBeInstanceOf(Array);
});

test('a read whose response is cut off says so', async () => {
  answers['GET /api/v1/rooms'] = (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"data":[{"id":"r1"');
    setTimeout(() => response.destroy(), 50);
  };
  const { result } = await runError('searches.find_room', { name: 'Acme' });
  expect(result.message).toBe(texts.docsharesAnswerCutOff);
});

test('a write without a response says that it may be complete', async () => {
  answers['POST /api/v1/rooms'] = never;
  const { result } = await runError('creates.create_room', { name: 'Acme' });
  expect(result).toMatchObject({ message: texts.docshareGaveClearAnswer, name: 'HaltedError' });
  expect(seen).toEqual(['POST /api/v1/rooms']);
});

test('a partly completed step says so', async () => {
  answers['POST /api/v1/documents'] = json({ id: 'doc_1', name: 'x' }, 201);
  answers['POST /api/v1/links'] = never;
  const shared = await runError('creates.share_document', { file: 'data:,Words.' });
  expect(shared.result.message).toMatch(texts.andItsLinkMayExist);
});

test('a file that is cut off fails at once', async () => {
  storage(json({}));
  const cut = file(
    '/cut.pdf',
    pdf({ 'content-length': '9000000' }, (response) => {
      response.write(pdfBytes(1000));
      setTimeout(() => response.destroy(), 50);
    }),
  );
  const { result } = await runError('creates.upload_document', { file: cut });
  // The file ends its own error: a timeout would report 8 seconds without data.
  expect(result.message).toBe(texts.fileCutOffDocument);
  expect(seen).not.toContain('POST /api/v1/documents/uploads/finalize');
});

test.each([
  ['never responds', never],
  [texts.stopsInTheMiddle, pdf({ 'content-length': '9000000' }, (response) => void response.write(pdfBytes(1000)))],
])('a file whose URL %s is given up', async (_, answer) => {
  storage(json({}));
  const { result } = await runError('creates.upload_document', { file: file('/slow.pdf', answer) });
  expect(result.message).toBe(texts.filesUrlSentData);
});

test('a file whose server asks for a long wait is given up, and the error says that the server is busy', async () => {
  const busy: Answer = (_, response) => void response.writeHead(503, { 'retry-after': '30' }).end();
  const { result } = await runError('creates.upload_document', { file: file('/busy.pdf', busy) });
  expect(result.message).toMatch('answered 503: its server is busy');
});

test('a slow file is given up early, and the error names its speed', async () => {
  storage(json({}));
  const slow = file(
    '/slow.pdf',
    pdf({ 'content-length': '90000000' }, (response) => {
      const timer = setInterval(() => response.write(pdfBytes(20_000)), 10);
      response.on('close', () => clearInterval(timer));
    }),
  );
  const { result } = await runError('creates.upload_document', { file: slow });
  expect(result.message).toMatch(texts.fileTransferTooSlow);
});

test('a storage that accepts no bytes is given up in time', async () => {
  storage(() => undefined);
  const { result } = await runError('creates.upload_document', { file: goodFile() });
  expect(result).toMatchObject({
    code: 'file_too_slow',
    message: expect.stringContaining(texts.soNoDocumentWasCreated),
  });
});

test('a document whose registration gets no response may exist', async () => {
  storage((request, response) => request.resume().on('end', () => response.end()));
  answers['POST /api/v1/documents/uploads/finalize'] = never;
  const { result } = await runError('creates.upload_document', { file: goodFile() });
  expect(result).toMatchObject({
    name: 'HaltedError',
    message: expect.stringContaining(texts.lookDocumentDocshareBefore),
  });
});

test.each([
  ['never responds', never],
  ['sends nothing more', pdf({ 'content-length': '9000' }, (response) => void response.write('%PDF'))],
])('a signed document whose storage %s ends with its own message', async (_, answer) => {
  answers['GET /api/v1/agreements/agr_1/document'] = json({ download_url: `${origin}/signed` });
  answers['GET /signed'] = answer;
  const inputData = { agreement_id: 'agr_1' };
  const { result } = await advanceUntil(25_000, () => zap.runError('hydrators.fetchSignedDocument', { inputData }));
  expect(result.message).toBe(SAFE);
});
