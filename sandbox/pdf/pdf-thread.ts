/** Worker thread that parses untrusted PDFs; terminating it frees whatever they allocated. */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import type { PageSize } from '../state/records.ts';
import { drawSignedPdf } from './draw-signed-pdf.ts';

async function readSizes(path: string): Promise<readonly PageSize[]> {
  const { PDFDocument } = await import('./library.ts');
  const pdf = await PDFDocument.load(await readFile(path), { ignoreEncryption: true, updateMetadata: false });
  return pdf.getPages().map((page) => {
    const { width, height } = page.getCropBox();
    // Invalid sizes become one point; PDF viewers decide on their own.
    const [wide, tall] = [width, height].map((length) => Math.min(Math.max(1, Math.round(Math.abs(length) || 1)), 1e6));
    const size = { width: wide ?? 1, height: tall ?? 1 };
    const turned = page.getRotation().angle % 180 !== 0;
    return turned ? { width: size.height, height: size.width } : size;
  });
}

const TASKS = { readSizes, drawSignedPdf };

export type Tasks = typeof TASKS;

// pdf-lib logs broken objects; unread output would accumulate in memory.
for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined;

parentPort?.on('message', ({ task, input }: { task: keyof Tasks; input: never }) => {
  TASKS[task](input).then(
    (value) => parentPort?.postMessage({ value }),
    (error: unknown) => parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) }),
  );
});
