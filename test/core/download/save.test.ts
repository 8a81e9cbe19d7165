import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { InputError, NetworkError, UnexpectedResponseError } from '../../../src/index.ts';
import { type StoreRequest, serveRange, startFileStore } from '../../support/file-store.ts';
import { ownTemporaryFolder } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

const pdf = Buffer.from(`%PDF-1.7 ${'0123456789'.repeat(40_000)}`);
const whole = (headers: Record<string, string> = {}) => startFileStore((asked) => serveRange(asked, pdf, { headers }));

test('a file is saved completely under the given path, readable by its owner only, and nothing else is left', async () => {
  const folder = ownTemporaryFolder();
  const { ask } = await whole();
  const seen: number[] = [];
  const path = join(folder, 'signed.pdf');
  const saved = await (await ask()).saveTo(path, { onProgress: ({ receivedBytes }) => seen.push(receivedBytes) });
  expect(saved).toEqual({ path, name: 'signed.pdf', sizeBytes: pdf.byteLength, type: 'application/pdf' });
  expect(readFileSync(path).equals(pdf)).toBe(true);
  expect(readdirSync(folder)).toEqual(['signed.pdf']);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(seen.at(-1)).toBe(pdf.byteLength);
});

test.each<[string, Record<string, string>, object, string]>([
  ['the storage names', { 'content-disposition': 'attachment; filename="../../Prés.pdf"' }, {}, 'Prs.pdf'],
  ['the service names', {}, { file_name: 'NDA: Acme/Corp?.pdf' }, 'Corp_.pdf'],
  ['the service names without an extension', {}, { name: 'Mutual NDA v1.2' }, 'Mutual NDA v1.2.pdf'],
  ['has no name', {}, {}, 'document.pdf'],
])('saving into a folder uses the name of a file that %s', async (_, headers, answer, expected) => {
  const folder = ownTemporaryFolder();
  const ascii = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('é', '')]));
  const { ask } = await startFileStore(
    (asked) => serveRange(asked, pdf, { headers: ascii }),
    (origin) => ({ ...answer, url: `${origin}/f` }),
  );
  for (const place of [folder, `${folder}/`, pathToFileURL(folder)]) {
    const saved = await (await ask()).saveTo(place, { overwrite: true });
    expect(saved).toMatchObject({ path: join(folder, expected), name: expected });
  }
  expect(readdirSync(folder)).toEqual([expected]);
});

test.skipIf(process.platform === 'win32')('a name that Windows does not allow is kept on other systems', async () => {
  const path = join(ownTemporaryFolder(), 'NDA: Acme?.pdf');
  const { ask } = await whole();
  expect(await (await ask()).saveTo(path)).toMatchObject({ path });
});

test('without overwrite, an existing file is kept and the download is not even requested', async () => {
  const folder = ownTemporaryFolder();
  const { ask, ranges } = await whole();
  const path = join(folder, 'signed.pdf');
  writeFileSync(path, 'mine');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link.pdf'));
  for (const taken of [path, join(folder, 'link.pdf')])
    await expect((await ask()).saveTo(taken)).rejects.toThrow(/Choose another path/);
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(ranges).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['link.pdf', 'signed.pdf']);
});

test('a file that appears during the download is kept', async () => {
  const folder = ownTemporaryFolder();
  const path = join(folder, 'signed.pdf');
  const { ask } = await whole();
  const late = (await ask()).saveTo(path, { onProgress: () => existsSync(path) || writeFileSync(path, 'mine') });
  await expect(late).rejects.toThrow(InputError);
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['mine', ['signed.pdf']]);
});

test('of two downloads to one path, one succeeds and the other rejects', async () => {
  const folder = ownTemporaryFolder();
  const { ask } = await whole();
  const path = join(folder, 'signed.pdf');
  const saves = await Promise.allSettled([1, 2, 3].map(async () => (await ask()).saveTo(path)));
  expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readFileSync(path).equals(pdf)).toBe(true);
  expect(readdirSync(folder)).toEqual(['signed.pdf']);
});

test('overwrite keeps the old file until the new one is complete, and keeps its mode', async () => {
  const path = join(ownTemporaryFolder(), 'signed.pdf');
  writeFileSync(path, 'old');
  chmodSync(path, 0o640);
  const { ask } = await whole();
  const during: string[] = [];
  await (await ask()).saveTo(path, { overwrite: true, onProgress: () => during.push(readFileSync(path, 'utf8')) });
  expect(new Set(during)).toEqual(new Set(['old']));
  expect(readFileSync(path).equals(pdf)).toBe(true);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o640);
});

test.each([
  ['an empty path', () => ''],
  ['an array', () => ['a.pdf'] as unknown as string],
  ['a null character', () => 'a\0'],
  ['a web URL', () => new URL('https://example.com/a.pdf')],
  ['a missing folder', (folder: string) => join(folder, 'no', 'a.pdf')],
  ['a device', () => '/dev/null'],
])('%s is rejected before the bytes are requested', async (_, place) => {
  const folder = ownTemporaryFolder();
  const { ask, ranges } = await whole();
  await expect((await ask()).saveTo(place(folder), { overwrite: true })).rejects.toThrow(InputError);
  expect([ranges, readdirSync(folder)]).toEqual([[], []]);
});

const page = '<!DOCTYPE html><html><body>Please log in</body></html>';
const text = (type: string, body: string | Buffer) => (asked: { response: import('node:http').ServerResponse }) =>
  asked.response.writeHead(200, { 'content-type': type }).end(body);

test.each<[string, string, string | Buffer, object, string]>([
  ['a web page', 'text/html', page, {}, 'signed.pdf'],
  ['a web page declared as a PDF', 'application/pdf', ` \n${page}`, {}, 'signed.pdf'],
  ['a web page for a file without a name', 'text/html', page, {}, ''],
  ['an error in XML', 'application/xml', '<?xml version="1.0"?><Error/>', {}, 'signed.pdf'],
  ['an empty file', 'application/pdf', '', {}, 'signed.pdf'],
  ['a picture', 'image/png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), {}, 'signed.pdf'],
])('%s instead of a PDF is an error and leaves no file', async (_, type, body, answer, name) => {
  const folder = ownTemporaryFolder();
  const { ask } = await startFileStore(text(type, body), (origin) => ({ ...answer, url: `${origin}/f` }));
  const failure: unknown = await (await ask()).saveTo(join(folder, name)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnexpectedResponseError);
  expect(String(failure)).toMatch(texts.soItWasNotSaved);
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, string, string | Buffer]>([
  ['page.html', 'text/html', page],
  ['deck.pptx', 'application/octet-stream', Buffer.from('PK\x03\x04rest', 'latin1')],
  ['odd.pdf', 'application/pdf', 'no known beginning'],
])('%s is saved with its own type', async (name, type, body) => {
  const { ask } = await startFileStore(text(type, body));
  expect((await (await ask()).saveTo(join(ownTemporaryFolder(), name))).sizeBytes).toBe(Buffer.byteLength(body));
});

test('an error thrown by onProgress ends the download and leaves no file', async () => {
  const folder = ownTemporaryFolder();
  const { ask } = await whole();
  const onProgress = () => {
    throw new Error('mine');
  };
  await expect((await ask()).saveTo(join(folder, 'a.pdf'), { onProgress })).rejects.toThrow('mine');
  expect(readdirSync(folder)).toEqual([]);
});

test('an unrequested part of a file is not taken for the whole file', async () => {
  const folder = ownTemporaryFolder();
  const part = (range: string) => ({ 'content-type': 'application/pdf', 'content-range': range });
  const { ask } = await startFileStore(({ response }) =>
    response.writeHead(206, part(`bytes 0-99/${pdf.byteLength}`)).end(pdf.subarray(0, 100)),
  );
  await expect((await ask()).saveTo(folder)).rejects.toThrow(texts.storageReturnedPartFile);
  await expect((await ask()).open()).rejects.toThrow(NetworkError);
  expect(readdirSync(folder)).toEqual([]);
  const all = await startFileStore(({ response }) =>
    response.writeHead(206, part(`bytes 0-${pdf.byteLength - 1}/${pdf.byteLength}`)).end(pdf),
  );
  expect((await (await all.ask()).saveTo(folder)).sizeBytes).toBe(pdf.byteLength);
});

test('without hard links the file is saved, and an existing file is kept', async () => {
  const { link } = promises;
  promises.link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
  syncBuiltinESMExports();
  onTestFinished(() => {
    promises.link = link;
    syncBuiltinESMExports();
  });
  const folder = ownTemporaryFolder();
  const { ask } = await whole();
  const path = join(folder, 'signed.pdf');
  await (await ask()).saveTo(path);
  expect([readFileSync(path).equals(pdf), readdirSync(folder)]).toEqual([true, ['signed.pdf']]);
  const other = join(folder, 'other.pdf');
  const late = (await ask()).saveTo(other, { onProgress: () => existsSync(other) || writeFileSync(other, 'mine') });
  await expect(late).rejects.toThrow(InputError);
  expect([readFileSync(other, 'utf8'), readdirSync(folder).sort()]).toEqual(['mine', ['other.pdf', 'signed.pdf']]);
});

const BREAK = 150_000;

/** Saves from a storage that breaks off after `BREAK` bytes. */
async function save(store: (asked: StoreRequest) => unknown, answer?: (origin: string) => object) {
  const folder = ownTemporaryFolder();
  const service = await startFileStore(store, answer);
  const path = join(folder, 'a.pdf');
  const failure: unknown = await (await service.ask()).saveTo(path).then(
    () => undefined,
    (error: unknown) => error,
  );
  const names = readdirSync(folder);
  return { ...service, failure, names, bytes: names.includes('a.pdf') ? readFileSync(path) : undefined };
}

test('a broken connection is resumed where it stopped', async () => {
  const { bytes, ranges } = await save((asked) => serveRange(asked, pdf, { etag: '"v1"', most: BREAK }));
  expect(bytes?.equals(pdf)).toBe(true);
  expect(ranges).toEqual([undefined, `bytes=${BREAK}-`, `bytes=${2 * BREAK}-`]);
});

test('a URL that expires during the download is renewed, and the download continues', async () => {
  let issued = 0;
  const { bytes, asked, ranges } = await save(
    (request) => {
      const sig = new URL(request.request.url ?? '', 'http://a').searchParams.get('sig');
      if (sig === '1' && request.times > 1) return request.response.writeHead(403).end('expired');
      return serveRange(request, pdf, { etag: '"v1"', ...(request.times === 1 ? { most: BREAK } : {}) });
    },
    (origin) => ({ url: `${origin}/f?sig=${++issued}` }),
  );
  expect(bytes?.equals(pdf)).toBe(true);
  expect([asked(), ranges]).toEqual([2, [undefined, `bytes=${BREAK}-`, `bytes=${BREAK}-`]]);
});
