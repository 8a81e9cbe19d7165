import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { expect, test, vi } from 'vitest';
import { runPdfTask } from '../../sandbox/pdf/run-pdf-task.ts';
import { createFolderForTest } from '../support/cleanup.ts';

async function storedPdf(): Promise<{ path: string; size: number }> {
  const folder = createFolderForTest('docshare-pdf-');
  const path = join(folder, 'one.pdf');
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
