import { open } from 'node:fs/promises';
import type { PageSize } from '../state/records.ts';
import { runPdfTask } from './run-pdf-task.ts';

/** Returns the page sizes of a PDF on disk, or none if it can't be read. */
export async function readPageSizes(path: string, size: number): Promise<readonly PageSize[]> {
  if (!(await isPdf(path))) return [];
  return runPdfTask('readSizes', { path, size }).catch(() => []);
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
