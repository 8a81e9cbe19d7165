import { deflateSync } from 'node:zlib';
import { degrees, PDFDocument, PDFName, type PDFPage, rgb, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { paintPage } from '../../sandbox/pdf/paint-page.ts';
import { createCaller } from '../world/open-browser.ts';

let sandbox: Sandbox;
let call: ReturnType<typeof createCaller>;

beforeAll(async () => {
  sandbox = await createSandbox({ data: 'empty' });
  call = createCaller(sandbox);
});

afterAll(() => sandbox?.close());

/** Saves and loads, so that what is painted is what a file holds. */
async function paint(
  draw: (page: PDFPage, pdf: PDFDocument) => void | Promise<void>,
  size: [number, number] = [200, 100],
) {
  const pdf = await PDFDocument.create();
  await draw(pdf.addPage(size), pdf);
  return paintPage((await PDFDocument.load(await pdf.save())).getPage(0));
}

/** Gives a page drawing instructions as a file may hold them. */
function write(page: PDFPage, instructions: string) {
  page.node.set(
    PDFName.of('Contents'),
    page.doc.context.register(page.doc.context.flateStream(instructions)),
  );
}

test('text comes with its words, place, size and colour', async () => {
  const { svg, text } = await paint(async (page, pdf) => {
    const font = await pdf.embedFont(StandardFonts.TimesRomanBold);
    page.drawText('Zürich & <b>', { x: 20, y: 70, size: 18, font, color: rgb(1, 0, 0) });
  });
  expect(text).toBe('Zürich & <b>');
  expect(svg).toContain('viewBox="0 0 200 100"');
  expect(svg).toMatch(
    /<text transform="matrix\(1 0 0 1 20 30\)"[^>]*Times[^>]*font-size="18" font-weight="bold" fill="rgb\(255 0 0\)"/,
  );
  expect(svg).toContain('>Zürich &#38; &#60;b&#62;</text>');
});

test('kerned pieces are one text, a wide gap is a space, escapes are read', async () => {
  const { text } = await paint(async (page, pdf) => {
    const font = await pdf.embedFont(StandardFonts.Helvetica);
    const name = page.node.newFontDictionary('F', font.ref);
    write(page, `BT ${name} 12 Tf 10 50 Td [(Two) -400 (wo) 20 (rds)] TJ T* (a\\(b\\)\\101) Tj <6364> Tj ET`);
  });
  expect(text).toBe('Two words a(b)A cd');
});

test('shapes keep their fill, line, clip and transparency; a pattern is pale', async () => {
  const { svg } = await paint((page) =>
    write(
      page,
      'q 0 0 50 50 re W n 0 0 1 rg 10 10 20 20 re f Q 2 w 1 0 0 RG 0 0 m 10 10 l S /P1 scn 0 0 5 5 re f* (broken ] >> 1 2',
    ),
  );
  expect(svg).toMatch(/<clipPath id="c1">.*<g clip-path="url\(#c1\)"><path[^>]* fill="rgb\(0 0 255\)"/);
  expect(svg).toMatch(
    /d="M0 0L10 10" fill="none" stroke="rgb\(255 0 0\)" stroke-opacity="1" stroke-width="2"/,
  );
  expect(svg).toContain('fill="#dfe4ec" fill-opacity="1" fill-rule="evenodd"');
});

test('pictures and forms are placed, plain pixels become a PNG', async () => {
  const { svg } = await paint((page, pdf) => {
    const image = pdf.context.stream(deflateSync(Buffer.from([255, 0, 0, 0, 255, 0])), {
      ...{ Type: 'XObject', Subtype: 'Image', Width: 2, Height: 1, ColorSpace: 'DeviceRGB' },
      ...{ BitsPerComponent: 8, Filter: 'FlateDecode' },
    });
    const form = pdf.context.flateStream('q 40 0 0 20 5 5 cm /I Do Q', {
      ...{ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 100, 100], Matrix: [1, 0, 0, 1, 10, 0] },
      Resources: { XObject: { I: pdf.context.register(image) } },
    });
    page.node.setXObject(PDFName.of('Fm'), pdf.context.register(form));
    write(page, '/Fm Do /Fm Do /Nothing Do');
  });
  expect(
    svg.match(/<image transform="matrix\(40 0 0 20 15 75\)"[^>]*href="data:image\/png;base64,iVBOR/g),
  ).toHaveLength(2);
});

test('a turned page stands upright', async () => {
  const { svg } = await paint((page) => {
    page.setRotation(degrees(90));
    page.drawRectangle({ x: 0, y: 0, width: 10, height: 10, color: rgb(0, 0, 0) });
  });
  expect(svg).toContain('viewBox="0 0 100 200"');
});

test('a form that holds itself ends', async () => {
  const { svg } = await paint((page, pdf) => {
    const ref = pdf.context.nextRef();
    const form = pdf.context.flateStream('0 0 1 1 re f /Self Do /Self Do', {
      ...{ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] },
      Resources: { XObject: { Self: ref } },
    });
    pdf.context.assign(ref, form);
    page.node.setXObject(PDFName.of('Self'), ref);
    write(page, '/Self Do');
  });
  expect(svg.match(/<path/g)?.length).toBeLessThan(200);
});

test('what is no PDF, or is broken inside, still has its sheets', async () => {
  const form = new FormData();
  form.set('file', new Blob(['MP4'], { type: 'video/mp4' }), 'film.mp4');
  const film = (await call('POST /documents', form)).body.id;
  const link = (await call('POST /links', { document_id: film })).body;
  const page = await (await fetch(link.url)).text();
  expect(page).toContain('be shown page by page. Download it to read it');
  expect(page).toContain('Download film');

  const pdf = await PDFDocument.create();
  const broken = pdf.addPage([300, 400]);
  broken.node.set(
    PDFName.of('Contents'),
    pdf.context.register(pdf.context.stream('not deflated', { Filter: 'FlateDecode' })),
  );
  const content = Buffer.from(await pdf.save()).toString('base64');
  const { id } = (await call('POST /documents', { name: 'Broken', content })).body;
  const picture = await fetch(`${sandbox.origin}/thumbnails/${id}/1.svg`);
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
  expect(picture.headers.get('content-security-policy')).toContain('sandbox');
  expect(await picture.text()).toContain('viewBox="0 0 300 400" width="180" height="240"');
  expect((await fetch(`${sandbox.origin}/thumbnails/${id}/2.svg`)).status).toBe(404);
});
