import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { PDFDocument } from 'pdf-lib';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { createSandbox, SWITCHES } from '../../sandbox/index.ts';
import { readPeakMiB } from '../../tools/peak-memory.ts';
import { createForm, sendJson } from '../support/ask-service.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { sandboxMain } from '../support/entry.ts';
import { texts } from './texts.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty', clock: 'manual' }));
const key = sandbox.key();
const send = (method: string, path: string, body?: object) => sendJson(sandbox, { key, method, path, body });

async function makePdf(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create();
  for (let page = 0; page < pages; page++) pdf.addPage([400 + page, 300]);
  return Uint8Array.from(await pdf.save());
}

function uploadForm({ file, ...fields }: { name?: string; file?: Blob }, fileName = 'deck.pdf') {
  const named = file && { file: new File([file], fileName, { type: file.type }) };
  return send('POST', '/documents', createForm({ ...fields, ...named }));
}

const open = async (fields: object = {}) => (await send('POST', '/documents/uploads', fields)).body;

async function put(url: string, headers: Record<string, string>, body = 'hello') {
  const response = await fetch(url, { method: 'PUT', headers, body });
  return { status: response.status, text: await response.text() };
}

test('a form upload keeps name, media type, size and the page count of the PDF', async () => {
  const bytes = await makePdf(3);
  const { status, body } = await uploadForm({ name: 'Deck – Ü', file: new Blob([bytes], { type: 'application/pdf' }) });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: 'Deck – Ü',
    file_name: 'deck.pdf',
    size: bytes.length,
    page_count: 3,
    version: 1,
  });
  const pages = await send('GET', `/documents/${body.id}/pages`);
  expect(pages.body.data).toEqual([
    expect.objectContaining({ page: 1, width: 400, height: 300 }),
    expect.objectContaining({ page: 2, width: 401 }),
    expect.objectContaining({ page: 3, width: 402 }),
  ]);
  const thumbnail = await fetch(pages.body.data[0].thumbnail_url);
  expect([thumbnail.headers.get('content-type'), await thumbnail.text()]).toEqual([
    'image/svg+xml',
    expect.stringMatching(/^<svg/),
  ]);
});

test('a form needs a file, whose name without its extension is the default name', async () => {
  const refused = await uploadForm({ name: 'Deck' });
  expect([refused.status, refused.body.error.details]).toEqual([422, [{ field: 'file', message: 'is required' }]]);
  const { body } = await uploadForm({ file: new Blob(['text']) }, 'Q3 report.txt');
  expect(body).toMatchObject({ name: 'Q3 report', file_name: 'Q3 report.txt', page_count: null });
});

test('the inline variant accepts base64 up to 4 MiB', async () => {
  const bytes = Buffer.from(await makePdf(2));
  const small = await send('POST', '/documents', { name: 'Inline', content: bytes.toString('base64') });
  expect(small.status).toBe(201);
  expect(small.body).toMatchObject({ page_count: 2, size: bytes.length, content_type: 'application/pdf' });
  const page = await send('POST', '/documents', { content: 'aGk=', content_type: 'text/html' });
  expect(page.body.content_type).toBe('text/html');
  const large = await send('POST', '/documents', { content: Buffer.alloc(4 * 1024 * 1024 + 1).toString('base64') });
  expect(large.status).toBe(413);
});

test('each missing signed header is named, and a rejected PUT does not use up the URL', async () => {
  const { uploadUrl, headers } = await open({ content_type: 'text/plain' });
  expect(headers).toEqual({ 'Content-Type': 'text/plain', 'x-amz-server-side-encryption': 'AES256' });
  const withoutEncryption = await put(uploadUrl, { 'content-type': 'text/plain' });
  expect(withoutEncryption.status).toBe(403);
  expect(withoutEncryption.text).toMatch(/^<\?xml.*\n<Error><Code>AccessDenied<\/Code>.*x-amz-server-side-encryption/);
  const otherType = await put(uploadUrl, { ...headers, 'Content-Type': 'text/html' });
  expect(otherType).toEqual({ status: 403, text: expect.stringContaining('Content-Type has a different value') });
  expect((await put(uploadUrl, headers)).status).toBe(200);
});

test('a second PUT to the same URL is rejected, also while the first is running', async () => {
  const { uploadUrl, headers } = await open();
  const both = await Promise.all([put(uploadUrl, headers), put(uploadUrl, headers)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect((await put(uploadUrl, headers)).text).toContain(texts.validForASinglePut);
});

test('storage accepts a PUT without an Authorization header', async () => {
  const { uploadUrl, headers } = await open();
  const refused = await put(uploadUrl, { ...headers, authorization: `Bearer ${key}` });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(texts.withoutAnAuthorizationHeader)]);
  expect(JSON.stringify(sandbox.log.entries())).not.toContain(key);
});

test('storage requires Content-Length: a chunked PUT is rejected', async () => {
  const { uploadUrl, headers } = await open();
  const outgoing = httpRequest(uploadUrl, { method: 'PUT', headers: { ...headers, 'transfer-encoding': 'chunked' } });
  outgoing.end('hello');
  const [response] = await once(outgoing, 'response');
  expect(response.statusCode).toBe(501);
  response.resume();
});

test('URLs expire by the clock, and a modified download URL is rejected', async () => {
  const { uploadUrl, headers } = await open();
  await sandbox.clock.advance(900_000);
  expect(await put(uploadUrl, headers)).toMatchObject({ status: 403, text: expect.stringContaining('expired') });
  const { id } = (await uploadForm({ file: new Blob(['text']) })).body;
  const { download_url } = (await send('GET', `/documents/${id}`)).body;
  expect(await (await fetch(download_url)).text()).toBe('text');
  const changed = new URL(download_url);
  changed.searchParams.set('key', '../../etc/passwd');
  expect((await fetch(changed)).status).toBe(403);
  await sandbox.clock.advance(300_000);
  expect((await fetch(download_url)).status).toBe(403);
});

test('finalize registers a file once, and only with the token of its upload', async () => {
  const { uploadUrl, headers, storageKey, token } = await open({ filename: 'plan.pdf' });
  const finalize = (fields: object) => send('POST', '/documents/uploads/finalize', fields);
  expect((await finalize({ storageKey, token })).status).toBe(409);
  await put(uploadUrl, headers);
  expect((await finalize({ storageKey, token: 'other' })).status).toBe(404);
  expect((await finalize({ storageKey, token, documentId: 'doc_none' })).status).toBe(404);
  expect((await finalize({ storageKey, token })).body).toMatchObject({ name: 'plan', file_name: 'plan.pdf', size: 5 });
  expect((await finalize({ storageKey, token })).status).toBe(409);
});

test('documentId adds a new version to that document', async () => {
  const { id } = (await uploadForm({ file: new Blob([await makePdf(1)]) })).body;
  const { uploadUrl, headers, storageKey, token } = await open();
  await fetch(uploadUrl, { method: 'PUT', headers, body: await makePdf(4) });
  await send('POST', '/documents/uploads/finalize', { storageKey, token, documentId: id });
  expect((await send('GET', `/documents/${id}`)).body).toMatchObject({
    id,
    version: 2,
    page_count: 4,
    versions: [expect.objectContaining({ version: 1, page_count: 1 }), expect.objectContaining({ version: 2 })],
  });
  const { data } = (await send('GET', '/documents?limit=100')).body;
  expect(data.filter((document: { id: string }) => document.id === id)).toHaveLength(1);
});

test.each(SWITCHES.uploadBody.settings)('the start of an upload requires %s', async (uploadBody) => {
  sandbox.use({ uploadBody });
  const demanded = uploadBody === 'none' ? [] : uploadBody.split('+');
  const empty = await send('POST', '/documents/uploads', {});
  expect(empty.status).toBe(demanded.length === 0 ? 201 : 422);
  for (const name of demanded) expect(empty.body.error.message).toContain(`${name}: is required`);
  sandbox.use('modern');
});

test.each(SWITCHES.download.settings)('a download responds with %s', async (download) => {
  const document = await uploadForm({ file: new Blob(['%PDF-text'], { type: 'application/pdf' }) });
  const agreement = await send('POST', '/agreements', { name: 'NDA', document_id: document.body.id });
  sandbox.use({ download });
  const response = await fetch(`${sandbox.url}/agreements/${agreement.body.id}/document`, {
    headers: { authorization: `Bearer ${sandbox.key()}` },
    redirect: 'manual',
  });
  const text = await response.text();
  const address = response.headers.get('location') ?? /"(http[^"]+)"/.exec(text)?.[1];
  expect(address === undefined ? text : await (await fetch(address)).text()).toBe('%PDF-text');
  expect(response.status).toBe(download.startsWith('redirect') ? Number(download.slice(-3)) : 200);
  sandbox.use('modern');
});

test('storage can use another origin, which serves no API calls', async () => {
  sandbox.use({ storageOrigin: 'other-port' });
  const { uploadUrl, headers } = await open();
  expect(new URL(uploadUrl).origin).not.toBe(sandbox.origin);
  expect((await put(uploadUrl, headers)).status).toBe(200);
  expect((await fetch(`${new URL(uploadUrl).origin}/api/v1/links`)).status).toBe(404);
  sandbox.use('modern');
});

test('300 MiB of multipart uploads keep the memory of the process below 250 MiB', async () => {
  const child = spawn(process.execPath, [sandboxMain, '--port', '0', '--empty']);
  const printed: string[] = [];
  child.stdout.on('data', (chunk) => printed.push(String(chunk)));
  const [line] = await once(createInterface(child.stderr), 'line');
  const { url } = JSON.parse(line);
  const boundary = 'the-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`;
  const chunk = Buffer.alloc(1024 * 1024);
  const dispatcher = new Agent();
  const { statusCode, body } = await request(`${url}/documents`, {
    method: 'POST',
    dispatcher,
    headers: {
      authorization: `Bearer ${/dsk_\w+/.exec(printed.join(''))?.[0]}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Readable.from([Buffer.from(head), ...Array(300).fill(chunk), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  expect([statusCode, await body.json()]).toEqual([201, expect.objectContaining({ size: 300 * 1024 * 1024 })]);
  expect(readPeakMiB(child.pid)).toBeLessThan(250);
  await dispatcher.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
});
