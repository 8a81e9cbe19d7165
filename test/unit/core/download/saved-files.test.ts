/** What is left of a file that is not saved: nothing on the disk, and no connection. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DownloadSource } from '../../../../src/download/download-source.ts';
import { saveDownload } from '../../../../src/download/save-download.ts';
import type { DownloadOptions } from '../../../../src/index.ts';
import type { ExchangeContext } from '../../../../src/request/client-context.ts';
import { standIn } from '../../../support/stand-in.ts';
import { ownTemporaryFolder } from '../../../support/upload-service.ts';

/** A file at a storage, and the signal that it was asked with. */
function stored(disposition = 'attachment; filename="a.pdf"') {
  const signals: (AbortSignal | undefined)[] = [];
  let read = 0;
  async function* body() {
    read += 1;
    yield Buffer.from('%PDF-1.7');
  }
  const source = standIn<DownloadSource>({
    context: standIn<ExchangeContext>({ retry: { retries: 0, baseDelayMs: 0, maxDelayMs: 0 } }),
    operation: 'agreements.document',
    url: 'https://store.test/1',
    name: undefined,
    type: undefined,
    fetch: async ({ signal }: DownloadOptions) => {
      signals.push(signal);
      return { status: 200, headers: { 'content-disposition': disposition }, body: body() };
    },
  });
  return { source, signals, reads: () => read };
}

test('a file whose name is taken in the folder is refused before its bytes come, and its connection given back', async () => {
  const folder = ownTemporaryFolder();
  writeFileSync(join(folder, 'a.pdf'), 'before');
  const { source, signals, reads } = stored();
  await expect(saveDownload(source, folder, {})).rejects.toThrow('a.pdf already exists');
  expect([reads(), signals.map((signal) => signal?.aborted), readdirSync(folder)]).toEqual([0, [true], ['a.pdf']]);
});

test('who gives up with the last byte has no file', async () => {
  const folder = ownTemporaryFolder();
  const control = new AbortController();
  const { source } = stored();
  const saved = saveDownload(source, folder, { signal: control.signal, onProgress: () => control.abort('enough') });
  await expect(saved).rejects.toBe('enough');
  expect(readdirSync(folder)).toEqual([]);
});
