import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { expect, test, vi } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { runPdfTask } from '../../sandbox/pdf/run-pdf-task.ts';
import { createForm } from '../support/ask-service.ts';
import { closeAfterAll, createFolderForTest } from '../support/cleanup.ts';
import { createCaller } from '../support/open-browser.ts';

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
const call = createCaller(sandbox);

async function store(bytes: Buffer) {
  const file = new File([Uint8Array.from(bytes)], 'file.pdf', { type: 'application/pdf' });
  return call('POST /documents', createForm({ file, name: 'Hostile' }));
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
  const pages = await call(`GET /documents/${body.id}/pages`);
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
    expect((await call('GET /links')).status).toBe(200);
    answered += 1;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  expect(answered).toBeGreaterThan(0);
  expect(await storing).toMatchObject({ status: 201, body: { page_count: null } });
  // The next file is read again.
  expect((await store(onePage('0 0 300 200'))).body.page_count).toBe(1);
});

async function storedPdf(): Promise<{ path: string; size: number }> {
  const path = join(createFolderForTest('docshare-pdf-'), 'one.pdf');
  const pdf = await PDFDocument.create();
  pdf.addPage([300, 400]);
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

test('the idle thread does not keep a process alive', async () => {
  await runPdfTask('readSizes', await storedPdf());
  expect(process.getActiveResourcesInfo()).not.toContain('MessagePort');
});
