/** What a call that ended before its time says of what it left at the service. */
import { expect, test } from 'vitest';
import { watchWrites } from '../../mcp/call/watch-writes.ts';
import { standIn } from '../world/stand-in.ts';

const CASES: readonly [
  words: string,
  asked: readonly [method: 'GET' | 'POST', operation: string, status?: number][],
  RegExp,
][] = [
  ['nothing was asked for', [], /^The call was cancelled before the service was asked; nothing was done\.$/],
  ['a read', [['GET', 'documents.get']], /before the service was asked; nothing was done\.$/],
  [
    'the beginning of an upload',
    [['POST', 'documents.startUpload', 201]],
    /^The call was cancelled while a file was on its way: parts of it may have been stored, and no record was made\.$/,
  ],
  ['a beginning that was refused', [['POST', 'documents.startUpload', 403]], /nothing was done\.$/],
  [
    'a write',
    [['POST', 'contacts.create']],
    /^The call was cancelled after the service was asked: it may have happened/,
  ],
  [
    'a write behind a beginning',
    [
      ['POST', 'documents.startUpload', 201],
      ['POST', 'documents.finalizeUpload'],
    ],
    /it may have happened/,
  ],
  ['a write that was refused', [['POST', 'contacts.create', 422]], /nothing was done\.$/],
  ['a write that timed out there', [['POST', 'contacts.create', 408]], /it may have happened/],
];

test.each(CASES)('%s', async (_, asked, words) => {
  const control = new AbortController();
  const watch = watchWrites({ signal: control.signal });
  const act = async () => {
    for (const [method, operation, status] of asked) {
      watch.options.onRequest?.(standIn({ method, operation }));
      if (status !== undefined) watch.options.onResponse?.(standIn({ method, operation, status }));
    }
    control.abort();
    throw control.signal.reason;
  };
  await expect(watch.explained(act)).rejects.toThrow(words);
  watch.release();
});
