/** What holds others back or keeps them out: a slow reader, a pause, a file's own permissions, an address that is not sure. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findFileLocation } from '../../../../src/download/file-location.ts';
import { openPartFile } from '../../../../src/download/part-file.ts';
import { openSqliteLimitStore } from '../../../../src/index.ts';
import { createBodyStream } from '../../../../src/transport/body-stream.ts';
import { drainBody } from '../../../../src/transport/transport.ts';
import { openSource } from '../../../../src/upload/file-source.ts';
import { texts } from '../../../core/texts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-held-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const KB = 1024;

test('a sender is held while 64 KB wait to be read, and goes on as soon as fewer do', async () => {
  const heard: string[] = [];
  const inflow = createBodyStream({
    pause: () => heard.push('pause'),
    resume: () => heard.push('resume'),
    cancel: () => heard.push('cancel'),
  });
  const reader = inflow.body[Symbol.asyncIterator]();
  for (let chunk = 0; chunk < 3; chunk += 1) inflow.push(new Uint8Array(20 * KB));
  expect(heard).toEqual([]);
  inflow.push(new Uint8Array(20 * KB));
  expect(heard).toEqual(['pause']);
  await reader.next();
  expect(heard).toEqual(['pause', 'resume']);
  await reader.return?.();
  expect(heard).toEqual(['pause', 'resume', 'cancel']);
});

test('of an answer that nobody wants little is read, and the rest is cut', async () => {
  let given = 0;
  let isCut = false;
  async function* endless() {
    try {
      for (; given < 1000; given += 1) yield new Uint8Array(16 * KB);
    } finally {
      isCut = true;
    }
  }
  await drainBody({ status: 500, headers: {}, body: endless() });
  expect([given < 10, isCut]).toEqual([true, true]);
});

test('a shorter pause does not end a longer one that another process was told', async () => {
  const HOUR_MS = 3_600_000;
  const store = await openSqliteLimitStore(join(folder, 'limit.db'));
  try {
    await store.pause('key', Date.now() + 10 * HOUR_MS);
    await store.pause('key', Date.now() + HOUR_MS);
    const asked = { requests: 1, windowMs: 1000, start: 's', now: Date.now() };
    expect(await store.take({ id: 'key', ...asked })).toBeGreaterThan(5 * HOUR_MS);
    expect(await store.take({ id: 'another', ...asked })).toBe(0);
  } finally {
    store.close();
  }
});

test.skipIf(process.platform === 'win32').each([0o600, 0o640, 0o664])(
  'a file that is replaced keeps its own mode %i: nobody else can read it afterwards',
  async (mode) => {
    const path = join(folder, 'a.pdf');
    writeFileSync(path, 'old');
    chmodSync(path, mode);
    const part = await openPartFile(folder);
    await part.write(Buffer.from('new'), 0);
    await part.commit(path, true);
    await part.discard();
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', mode]);
  },
);

describe('under names that nobody foresaw', () => {
  const one = 'https://store.test/a?sig=abcd';
  test('the only signed address is the file’s', () => {
    expect(findFileLocation(JSON.stringify({ odd: one, page: 'https://a.test/page' }))).toEqual({ url: one });
  });
  test('of two signed addresses neither is: one may be another’s file', () => {
    expect(findFileLocation(JSON.stringify({ odd: one, other: 'https://store.test/b?sig=abcd' }))).toBeUndefined();
  });
});

test('a file that can no longer be read as it was opened is said to have changed', async () => {
  const file = await openSource(
    {
      size: 3,
      type: 'text/plain',
      async *stream() {
        yield Buffer.from('ab');
        throw new DOMException(texts.theBlobCouldNotBe, 'NotReadableError');
      },
    },
    {},
  );
  const read = async () => {
    for await (const _ of file.stream());
  };
  await expect(read()).rejects.toThrow('changed');
});
