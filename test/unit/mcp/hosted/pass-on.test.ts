/** A file that is handed over, on its way to the service: what is taken of it, and what the service hears. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_FILE_BYTES } from '../../../../mcp/files/file-access.ts';
import { forwardUpload, type IncomingFile } from '../../../../mcp/hosted/file-transfer/forward-upload.ts';
import type { UploadAttempt } from '../../../../mcp/hosted/file-transfer/upload-attempt.ts';
import type { UploadTicket } from '../../../../mcp/hosted/file-transfer/upload-tickets.ts';
import type { Client } from '../../../../src/index.ts';
import { texts } from '../../../mcp/texts.ts';
import { createStub } from '../../../support/create-stub.ts';

const PDF = '%PDF-1.7 a deck';
const MB = 1024 * 1024;

interface Sent {
  readonly file?: Partial<IncomingFile>;
  readonly hand?: Partial<UploadTicket>;
  readonly parts?: readonly string[];
  /** Whether another replica has taken over meanwhile. */
  readonly isTaken?: boolean;
}

/** Passes one file on; what the service and the state heard of it, in its order. */
async function pass({ file, hand, parts = [PDF], isTaken = false }: Sent) {
  const heard: unknown[] = [];
  async function* bytes() {
    try {
      for (const part of parts) yield Buffer.from(part);
    } finally {
      heard.push('given up');
    }
  }
  async function upload(source: Uint8Array | AsyncIterable<Uint8Array>, options: object) {
    let size = 0;
    if (source instanceof Uint8Array) size = source.byteLength;
    else
      for await (const part of source) {
        size += part.byteLength;
        heard.push(part.byteLength);
      }
    heard.push({ size, ...options });
    return { id: 'd1', sizeBytes: size, via: 'direct', document: { id: 'd1' } };
  }
  const run = createStub<UploadAttempt>({
    sent: (bytes: number) => void heard.push(`sent ${bytes}`),
    markRegistering: async () => {
      await Promise.resolve();
      if (isTaken) throw new Error('taken over');
      heard.push('registering');
    },
  });
  const passing = forwardUpload(
    { ...{ name: 'a.pdf', type: undefined, sizeBytes: parts.join('').length }, ...file, bytes: bytes() },
    { client: createStub<Client>({ upload }), ticket: createStub<UploadTicket>({ ...hand }), attempt: run },
  );
  const answer = await passing.catch((error: Error) => error);
  return { answer, heard };
}

const LONG = [`%PDF-1.7 ${'x'.repeat(MB)}`, 'y'.repeat(10)];

test('a short file is held until it is whole, and noted before the service has any of it', async () => {
  const { answer, heard } = await pass({});
  // Its sender is done with the first look at it.
  expect(heard).toEqual([
    'given up',
    'registering',
    `sent ${PDF.length}`,
    { size: PDF.length, name: 'a.pdf', type: 'application/pdf' },
  ]);
  const sha256 = createHash('sha256').update(PDF).digest('hex');
  expect(answer).toMatchObject({ id: 'd1', size_bytes: PDF.length, sha256 });
});

test('of a longer one the last bytes wait until it is noted that the service may have all', async () => {
  const { heard } = await pass({ parts: LONG });
  const [first = 0, last = 0] = LONG.map((part) => part.length);
  expect(heard).toEqual([
    ...[first, `sent ${first}`, 'registering', last, `sent ${first + last}`, 'given up'],
    expect.objectContaining({ size: first + last, sizeBytes: first + last, via: 'direct' }),
  ]);
});

test('where another replica has taken over, the last bytes do not leave, and the sender is let go', async () => {
  const { answer, heard } = await pass({ parts: LONG, isTaken: true });
  expect(answer).toMatchObject({ message: 'taken over' });
  expect(heard).toEqual([LONG[0]?.length, `sent ${LONG[0]?.length}`, 'given up']);
});

test.each<[string, Sent, string]>([
  ['that does not say its length', { file: { sizeBytes: undefined } }, 'no_length'],
  ['that is empty', { parts: [] }, 'empty'],
  ['of a byte too many', { file: { sizeBytes: MAX_FILE_BYTES + 1 } }, 'too_large'],
  ['of another length than was asked for', { hand: { sizeBytes: PDF.length + 1 } }, 'wrong_size'],
  ['longer than was told', { file: { sizeBytes: PDF.length - 1 } }, 'wrong_size'],
  ['shorter than was told', { file: { sizeBytes: PDF.length + 1 } }, 'cut_off'],
  ['of another kind than was asked for', { hand: { name: 'a.docx' } }, 'wrong_type'],
  ['of another kind than its name says', { parts: ['PK\u0003\u0004'] }, 'wrong_type'],
  [
    'of another kind than its own name says, whatever it is to be called',
    { hand: { name: 'deck' }, parts: ['PK\u0003\u0004'] },
    'wrong_type',
  ],
])('a file %s is not registered', async (_, sent, code) => {
  const { answer, heard } = await pass(sent);
  expect(answer).toMatchObject({ code });
  expect(heard).not.toContainEqual(expect.objectContaining({ name: expect.anything() }));
});

test('the length that was asked for is taken', async () => {
  const { answer } = await pass({ hand: { sizeBytes: PDF.length } });
  expect(answer).toMatchObject({ id: 'd1' });
});

test.each<[string, Sent, object]>([
  ['by the name that was asked for', { hand: { name: 'Deck.pdf' } }, { name: 'Deck.pdf' }],
  ['by its own', {}, { name: 'a.pdf', type: 'application/pdf' }],
  ['by none', { file: { name: undefined } }, { name: 'document' }],
  [
    'by a name without an ending, of the type of its own',
    { hand: { name: 'Deck' } },
    { name: 'Deck', type: 'application/pdf' },
  ],
  [
    'of the type that its sender says',
    { file: { name: 'notes', type: 'Text/Markdown; charset=utf-8' }, parts: ['words'] },
    { type: 'text/markdown' },
  ],
  [texts.asANewVersion, { hand: { documentId: 'd9' } }, { documentId: 'd9' }],
])('a file goes on %s', async (_, sent, options) => {
  const { heard } = await pass(sent);
  expect(heard.at(-1)).toMatchObject(options);
});

test.each(['application/octet-stream', 'multipart/form-data', 'application/x-www-form-urlencoded', 'odd'])(
  'the type %s says nothing of a file, and is not passed on',
  async (type) => {
    const { heard } = await pass({ file: { name: 'notes', type }, parts: ['words'] });
    expect(heard.at(-1)).not.toHaveProperty('type');
  },
);
