import { PDFDocument } from 'pdf-lib';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterAll } from '../support/close-after.ts';
import { createCaller } from '../support/open-browser.ts';

const sandbox = await closeAfterAll(createSandbox());

test('the download of each seeded document has the size and page count of the API', async () => {
  const call = createCaller(sandbox);
  const { data } = (await call('GET /documents')).body;
  expect(data).toHaveLength(8);
  for (const { id, name } of data) {
    const { body } = await call(`GET /documents/${id}`);
    const sizes = (await call(`GET /documents/${id}/pages`)).body.data;
    const file = await (await fetch(body.download_url)).arrayBuffer();
    const pdf = await PDFDocument.load(file, { updateMetadata: false });
    expect({ title: pdf.getTitle(), size: file.byteLength, pages: pdf.getPageCount() }).toEqual({
      title: name,
      size: body.size,
      pages: body.page_count,
    });
    expect(pdf.getPages().map((page) => page.getSize())).toEqual(
      sizes.map(({ width, height }: { width: number; height: number }) => ({ width, height })),
    );
  }
});

test('an agreement without a document has a page with its name, the same in each download', async () => {
  const call = createCaller(sandbox);
  const { id } = (await call('POST /agreements', { name: 'Towage', recipients: ['ada@example.com'] })).body;
  const download = async () => {
    const { body } = await call(`GET /agreements/${id}/document`);
    return Buffer.from(await (await fetch(body.url)).arrayBuffer());
  };
  const first = await download();
  expect((await PDFDocument.load(first, { updateMetadata: false })).getTitle()).toBe('Towage');
  expect((await download()).equals(first)).toBe(true);
});
