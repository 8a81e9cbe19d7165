import { open } from 'node:fs/promises';
import type { PageSize } from '../state/records.ts';
import { readPdfjsPart } from './pdfjs-parts.ts';

type Pdfjs = typeof import('pdfjs-dist');
type PdfPage = Awaited<ReturnType<Awaited<ReturnType<Pdfjs['getDocument']>['promise']>['getPage']>>;

const MAX_PAGES = 20_000;
const CHUNK_BYTES = 64 * 1024;
/** Time for the sizes of all pages; pages after that count with the size of the last one that was read. */
const SIZES_TIMEOUT_MS = 1_000;

let loaded: Promise<Pdfjs> | undefined;

/** Imports pdf.js from memory, because a published package holds it compressed. Its worker runs in this thread. */
async function loadPdfjs(): Promise<Pdfjs> {
  const [main, worker] = await Promise.all(
    ['pdf', 'pdf.worker'].map((name) => {
      const bytes = Buffer.from(readPdfjsPart(`legacy/build/${name}.min.mjs`) ?? []);
      return import(`data:text/javascript;base64,${bytes.toString('base64')}`);
    }),
  );
  Object.assign(globalThis, { pdfjsWorker: worker });
  return main;
}

/**
 * Returns the sizes of all pages of the PDF at `path`, as the reader counts them: both use pdf.js. Reads only
 * the parts of the file that it needs.
 *
 * @throws Error if pdf.js can't open the file
 */
export async function readPageSizesWithPdfjs({
  path,
  size,
}: {
  path: string;
  size: number;
}): Promise<readonly PageSize[]> {
  loaded ??= loadPdfjs();
  const pdfjs = await loaded;
  const file = await open(path);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => null);
  const range = new pdfjs.PDFDataRangeTransport(size, null);
  range.requestDataRange = (start, end) => {
    file
      .read(new Uint8Array(end - start), 0, end - start, start)
      .then(({ buffer }) => range.onDataRange(start, buffer), failure.reject);
  };
  const options = { range, rangeChunkSize: CHUNK_BYTES, disableStream: true, disableAutoFetch: true, verbosity: 0 };
  const task = pdfjs.getDocument(options);
  try {
    const pdf = await Promise.race([task.promise, failure.promise]);
    const until = performance.now() + SIZES_TIMEOUT_MS;
    const sizes: PageSize[] = [];
    const count = Math.min(pdf.numPages, MAX_PAGES);
    for (let number = 1; number <= count && performance.now() < until; number++) {
      // A broken page counts, with the size of the one before.
      const page = await Promise.race([pdf.getPage(number), failure.promise]).catch(() => null);
      sizes.push(page ? getSize(page) : (sizes.at(-1) ?? A4));
      page?.cleanup();
    }
    return [...sizes, ...Array.from({ length: count - sizes.length }, () => sizes.at(-1) ?? A4)];
  } finally {
    await task.destroy();
    await file.close();
  }
}

const A4: PageSize = { width: 595, height: 842 };

/** Invalid sizes become one point; PDF viewers decide on their own. */
function getSize({ view, rotate }: PdfPage): PageSize {
  const [left = 0, bottom = 0, right = 0, top = 0] = view;
  const [width = 1, height = 1] = [right - left, top - bottom].map((length) =>
    Math.min(Math.max(1, Math.round(Math.abs(length) || 1)), 1e6),
  );
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}
