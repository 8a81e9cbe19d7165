/** Worker thread that parses untrusted PDFs; terminating it frees whatever they allocated. */
import { parentPort } from 'node:worker_threads';
import { drawSignedPdf } from './draw-signed-pdf.ts';
import { readPageSizesWithPdfjs } from './read-page-sizes-with-pdfjs.ts';

const TASKS = { readSizes: readPageSizesWithPdfjs, drawSignedPdf };

export type Tasks = typeof TASKS;

// pdf-lib and pdf.js log broken objects; unread output would accumulate in memory.
for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined;

parentPort?.on('message', ({ task, input }: { task: keyof Tasks; input: never }) => {
  TASKS[task](input).then(
    (value) => parentPort?.postMessage({ value }),
    (error: unknown) => parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) }),
  );
});
