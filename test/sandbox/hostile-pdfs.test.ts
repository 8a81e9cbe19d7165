import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { constants, deflateRawSync } from 'node:zlib';
import { degrees, PDFDocument } from 'pdf-lib';
import { expect, test, vi } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { readPageSizesWithPdfjs } from '../../sandbox/pdf/read-page-sizes-with-pdfjs.ts';
import { runPdfTask } from '../../sandbox/pdf/run-pdf-task.ts';
import { createForm, sendJson } from '../support/ask-service.ts';
import { closeAfterAll, createFolderForTest } from '../support/cleanup.ts';

/** Compressed blanks of many megabytes: one compressed megabyte, repeated; compressing all takes two seconds. */
function packedBlanks(megabytes: number): Buffer {
  const megabyte = deflateRawSync(Buffer.alloc(1_000_000, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const [size, blank, prime] = [BigInt(megabytes) * 1_000_000n, 32n, 65_521n];
  const sums = Buffer.alloc(4);
  sums.writeUInt16BE(Number((size + (blank * size * (size + 1n)) / 2n) % prime), 0);
  sums.writeUInt16BE(Number((1n + blank * size) % prime), 2);
  const body = new Array<Buffer>(megabytes).fill(megabyte);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...body, Buffer.from([3, 0]), sums]);
}

const packed = packedBlanks(600);
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const key = sandbox.key();
const call = (method: string, path: string, body?: object) => sendJson(sandbox, { key, method, path, body });

async function store(bytes: Buffer) {
  const file = new File([Uint8Array.from(bytes)], 'file.pdf', { type: 'application/pdf' });
  return call('POST', '/documents', createForm({ file, name: 'Hostile' }));
}

function write(objects: readonly (string | Buffer)[]): Buffer {
  const parts = objects.flatMap((object, index) => [`${index + 1} 0 obj\n`, object, '\nendobj\n']);
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n0\n%%EOF`;
  return Buffer.concat(['%PDF-1.5\n', ...parts, trailer].map((part) => Buffer.from(part)));
}

const onePage = (box: string) =>
  write([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 99999999 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] >>`,
  ]);

test.each([
  ['circular pages', write(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 5 >>'])],
  ['a page without a size', onePage('0 0 0 0')],
  ['a million brackets', Buffer.from(`%PDF-1.4\n1 0 obj\n${'['.repeat(1_000_000)}`)],
])('%s is stored, and its record is readable', async (_, bytes) => {
  const { status, body } = await store(bytes);
  expect(status).toBe(201);
  const pages = await call('GET', `/documents/${body.id}/pages`);
  expect(pages.status).toBe(200);
  for (const { width, height, thumbnail_url } of pages.body.data) {
    expect([width > 0, height > 0]).toEqual([true, true]);
    expect(await (await fetch(thumbnail_url)).text()).not.toContain('NaN');
  }
});

test('a file that decompresses to a thousand times its size delays no other request and is given up', async () => {
  const head = `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
  const bomb = Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]);
  let done = false;
  const storing = store(write(['<< /Type /Catalog /Pages 2 0 R >>', bomb])).finally(() => {
    done = true;
  });
  let answered = 0;
  while (!done) {
    expect((await call('GET', '/links')).status).toBe(200);
    answered += 1;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  expect(answered).toBeGreaterThan(0);
  expect(await storing).toMatchObject({ status: 201, body: { page_count: null } });
  // The next file is read again.
  expect((await store(onePage('0 0 300 200'))).body.page_count).toBe(1);
});

async function storedPdf(edit = (_: PDFDocument) => {}): Promise<{ path: string; size: number }> {
  const path = join(createFolderForTest('docshare-pdf-'), 'one.pdf');
  const pdf = await PDFDocument.create();
  pdf.addPage([300, 400]);
  edit(pdf);
  const bytes = await pdf.save();
  writeFileSync(path, bytes);
  return { path, size: bytes.length };
}

test('a task that arrives while the idle thread is ending runs on another thread', async () => {
  const stored = await storedPdf();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let round = 0; round < 3; round++) {
    expect(await runPdfTask('readSizes', stored)).toEqual([{ width: 300, height: 400 }]);
    vi.advanceTimersByTime(10_000);
  }
});

test('a task that uses too much CPU time is given up', async () => {
  const stored = await storedPdf();
  const usage = vi.spyOn(Worker.prototype, 'cpuUsage').mockResolvedValue({ user: 2_100_000, system: 1_000_000 });
  usage.mockResolvedValueOnce({ user: 0, system: 0 });
  await expect(runPdfTask('readSizes', stored)).rejects.toThrow('exceeds the memory or CPU limit');
});

test('the idle thread does not keep a process alive', async () => {
  const url = new URL('../../sandbox/pdf/run-pdf-task.ts', import.meta.url).href;
  const program = `import { runPdfTask } from '${url}'; await runPdfTask('readSizes', ${JSON.stringify(await storedPdf())});
    const doneAt = performance.now(); process.on('exit', () => process.exit(performance.now() - doneAt < 9_000 ? 0 : 1));`;
  // An idle thread ends after 10 s.
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', program]).status).toBe(0);
});

test('page sizes follow rotation and differ, and a broken page has the size of the one before', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const stored = await storedPdf((pdf) => {
    pdf.getPage(0).setRotation(degrees(90));
    for (const size of [500, 0.2, 300, 300]) pdf.addPage([size, size]);
    pdf.context.delete(pdf.getPage(3).ref);
  });
  const [first, ...others] = await readPageSizesWithPdfjs(stored);
  expect(first).toEqual({ width: 400, height: 300 });
  expect(others).toEqual([500, 1, 1].map((width) => ({ width, height: width })));
  // The time is over after the first page.
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(0).mockReturnValue(5_000);
  const late = await storedPdf((pdf) => void pdf.addPage([500, 500]));
  expect(await readPageSizesWithPdfjs(late)).toEqual(Array(2).fill({ width: 300, height: 400 }));
});
