import { createHash } from 'node:crypto';
import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream } from 'pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCUMENTS } from '../../sandbox/company/documents.ts';
import { drawContent } from '../../sandbox/company/drawings/draw-content.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { createCaller } from '../support/open-browser.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox();
});

afterAll(() => sandbox?.close());

const draw = ({ name, drawing }: (typeof DOCUMENTS)[number]) => drawContent({ drawing, title: name });
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test.each(DOCUMENTS)(
  '$name has the length, pages and sizes that are told before it is drawn',
  async (seed) => {
    const bytes = await draw(seed);
    const pages = (await PDFDocument.load(bytes)).getPages();
    expect({ bytes: bytes.length, pages: pages.length }).toEqual({ bytes: seed.bytes, pages: seed.pages });
    for (const page of pages) expect(page.getSize()).toEqual(seed.size);
  },
);

test('each page of each document is another one', async () => {
  const drawings: string[] = [];
  for (const seed of DOCUMENTS)
    for (const page of (await PDFDocument.load(await draw(seed))).getPages()) {
      const contents = page.node.Contents();
      const streams =
        contents instanceof PDFArray
          ? contents.asArray().map((_, index) => contents.lookup(index))
          : [contents];
      const parts = streams.map((stream) =>
        stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : new Uint8Array(),
      );
      drawings.push(digest(Buffer.concat(parts)));
    }
  expect(new Set(drawings).size).toBe(drawings.length);
  expect(drawings.length).toBeGreaterThanOrEqual(30);
});

test('drawn again later, a document has the same bytes', async () => {
  const [deck] = DOCUMENTS;
  if (!deck) throw new Error('no deck');
  const first = digest(await draw(deck));
  // So many others that the first drawing is forgotten.
  for (let other = 0; other < 45; other++)
    await drawContent({ drawing: 'agreement', title: `Other ${other}` });
  expect(digest(await draw(deck))).toBe(first);
});

test('the download of a seeded document is what the API said of it', async () => {
  const call = createCaller(sandbox);
  for (const { id } of (await call('GET /documents')).body.data) {
    const { body } = await call(`GET /documents/${id}`);
    const file = await (await fetch(body.download_url)).arrayBuffer();
    expect({ size: file.byteLength, pages: (await PDFDocument.load(file)).getPageCount() }).toEqual({
      size: body.size,
      pages: body.page_count,
    });
  }
});
