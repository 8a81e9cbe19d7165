import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { PageSize } from '../state/records.ts';
import { runPdfTask } from './run-pdf-task.ts';

/** Larger files are scanned as a stream, so that memory stays bounded. */
const PARSE_LIMIT_BYTES = 8 * 1024 * 1024;

const MAX_PAGES = 20_000;

const A4: PageSize = { width: 595, height: 842 };

/** Returns the page sizes of a PDF on disk, or none if it can't be read. */
export async function readPageSizes(path: string, size: number): Promise<readonly PageSize[]> {
  if (!(await isPdf(path))) return [];
  if (size > PARSE_LIMIT_BYTES) {
    const length = Math.min(await scanPageCount(path), MAX_PAGES);
    return Array.from({ length }, () => A4);
  }
  return runPdfTask('readSizes', path).catch(() => []);
}

async function isPdf(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.subarray(0, bytesRead).includes('%PDF-');
  } finally {
    await file.close();
  }
}

/** Counts page objects; if they are compressed, uses the largest `/Count` of a page tree. */
async function scanPageCount(path: string): Promise<number> {
  let pages = 0;
  let maxCount = 0;
  let tail = '';
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 128 * 1024 })) {
    const text = tail + chunk;
    // The end of the text is scanned with the next chunk.
    const end = Math.max(0, text.length - 64);
    for (const match of text.matchAll(
      /\/Type\s*\/Page(?![A-Za-z])|\/Count\s+(\d+)|\/Linearized[^>]{0,200}\/N\s+(\d+)/g,
    )) {
      if (match.index >= end) break;
      const count = match[1] ?? match[2];
      if (count === undefined) pages += 1;
      else maxCount = Math.max(maxCount, Number(count));
    }
    tail = text.slice(end);
  }
  return pages || maxCount;
}
