/** The thread in which strangers' PDFs are read: its end takes with it whatever one of them made of it. */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import type { PageSize } from '../state/records.ts';
import { drawSignedPdf } from './draw-signed-pdf.ts';

async function readSizes(path: string): Promise<readonly PageSize[]> {
  const { PDFDocument } = await import('./library.ts');
  const pdf = await PDFDocument.load(await readFile(path), { ignoreEncryption: true, updateMetadata: false });
  return pdf.getPages().map((page) => {
    const { width, height } = page.getCropBox();
    // What is no measure is one point: the reader decides by itself what it makes of such a page.
    const [wide, tall] = [width, height].map((length) =>
      Math.min(Math.max(1, Math.round(Math.abs(length) || 1)), 1e6),
    );
    const size = { width: wide ?? 1, height: tall ?? 1 };
    const turned = page.getRotation().angle % 180 !== 0;
    return turned ? { width: size.height, height: size.width } : size;
  });
}

const TASKS = { readSizes, drawSignedPdf };

export type Tasks = typeof TASKS;

// What pdf-lib says of broken objects is for nobody, and would be kept here for want of a reader.
for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined;

parentPort?.on('message', ({ task, input }: { task: keyof Tasks; input: never }) => {
  TASKS[task](input).then(
    (value) => parentPort?.postMessage({ value }),
    (error: unknown) =>
      parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) }),
  );
});
