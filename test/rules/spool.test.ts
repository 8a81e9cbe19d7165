/** A stream that waits on the disk to be uploaded. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spool } from '../../src/upload/spool.ts';
import { ownTemporaryFolder } from '../world/upload-service.ts';

async function* words() {
  yield Buffer.from('half ');
  yield Buffer.from('and half');
}

async function textOf(bytes: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test.skipIf(process.platform === 'win32')(
  'its file has no name while it is read, so that not even a crash leaves it behind',
  async () => {
    const folder = ownTemporaryFolder();
    const spooled = await spool(words());
    expect(readdirSync(folder)).toEqual([]);
    expect([spooled.size, await textOf(spooled.stream()), await textOf(spooled.stream())]).toEqual([
      13,
      'half and half',
      'half and half',
    ]);
    await spooled.close();
    expect(readdirSync(folder)).toEqual([]);
  },
);
