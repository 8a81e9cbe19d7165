/** A download that breaks off: when and how the rest is asked for, what proves it to be of the same file, and what ends it. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DownloadSource } from '../../../../src/download/download-source.ts';
import { type ReceiveOptions, receiveFile } from '../../../../src/download/receive-file.ts';
import { FileError, NetworkError, TimeoutError, UnexpectedResponseError } from '../../../../src/index.ts';
import type { ExchangeContext } from '../../../../src/request/client-context.ts';
import { CLIENT_CLOSED_CODE } from '../../../../src/retry/retry.ts';
import { texts } from '../../../core/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

const CUT = new NetworkError('cut');
const MODIFIED = 'Thu, 01 Jan 2026 00:00:00 GMT';
const V1 = { etag: '"v1"', 'content-length': '10' };
const SINCE_LONG = { 'last-modified': MODIFIED, date: 'Fri, 02 Jan 2026 00:00:00 GMT' };
const rest = (range: string, more: object = {}) => ({ status: 206, 'content-range': range, ...more });

/** An answer's headers, with its status where it is not 200, and what comes of its body: bytes, or what it breaks off with. */
type Answer = readonly [head: object, ...body: (string | Error)[]];

interface More extends Partial<ReceiveOptions> {
  readonly retries?: number | undefined;
  readonly url?: string | undefined;
  readonly write?: () => Promise<void>;
  readonly look?: () => void;
  readonly closing?: AbortSignal;
  readonly baseDelayMs?: number;
}

function open(answers: readonly Answer[], more: More = {}) {
  const { url, write, look, closing, baseDelayMs = 0, ...options } = { url: 'https://store.test/1', ...more };
  let file = Buffer.alloc(0);
  const asked: string[] = [];
  const checked: string[] = [];
  const waiting = [...answers];
  const next = () => {
    const [{ status = 200, ...headers }, ...body] = waiting.shift() as [{ status?: number }, ...string[]];
    async function* read() {
      for (const one of body as (string | Error)[]) {
        if (typeof one !== 'string') throw one;
        yield Buffer.from(one);
      }
    }
    return { status, headers: headers as Record<string, string>, body: read() };
  };
  const context = standIn<ExchangeContext>({ retry: { retries: 2, baseDelayMs, maxDelayMs: 100_000 }, closing });
  const source = standIn<DownloadSource>({
    context,
    url,
    fetch: async (_: object, ask: Record<string, string>) => {
      const { range = 'whole', 'if-range': proof, 'accept-encoding': coding, ...others } = ask;
      expect([coding, others]).toEqual(['identity', {}]);
      asked.push(proof === undefined ? range : `${range} if ${proof}`);
      return next();
    },
    renew: async () => {
      asked.push('renew');
      return source;
    },
  });
  const part = standIn<Parameters<typeof receiveFile>[1]['part']>({
    write:
      write ??
      (async (bytes: Uint8Array, at: number) => {
        file = Buffer.concat([file.subarray(0, at), Buffer.alloc(Math.max(0, at - file.byteLength)), bytes]);
      }),
    truncate: async (size: number) => {
      file = file.subarray(0, size);
    },
  });
  const check = (_: object, start: Uint8Array) => {
    checked.push(Buffer.from(start).toString());
    look?.();
  };
  const done = receiveFile(
    { source, response: next() },
    { part, checkStart: check },
    { signal: new AbortController().signal, ...options },
  );
  return { done, asked, checked, text: () => file.toString() };
}

/** What was asked for after each break, and what stands in the file at the end. */
async function saved(answers: readonly Answer[], more: More = {}) {
  const { done, asked, text } = open(answers, more);
  const { sizeBytes } = await done;
  expect(sizeBytes).toBe(text().length);
  return [...asked, text()];
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the rest is of the same file', () => {
  test.each<[string, object, object]>([
    ['by its place and its ETag', V1, rest('bytes 4-9/10', { etag: '"v1"' })],
    ['without an ETag of its own, which If-Range was asked for', V1, rest('bytes 4-9/10')],
    ['whose whole the storage does not know', V1, rest('bytes 4-9/*')],
    ['whose whole only the rest tells', { etag: '"v1"' }, rest('bytes 4-9/10')],
    ['whose whole nobody tells', { etag: '"v1"' }, rest('bytes 4-9/*')],
    ['in capitals', V1, rest('Bytes 4-9/10')],
    ['that says that it is not coded', V1, rest('bytes 4-9/10', { 'content-encoding': 'identity' })],
    ['changed at another time, where the ETag is the proof', V1, rest('bytes 4-9/10', SINCE_LONG)],
    ['by a change long ago', SINCE_LONG, rest('bytes 4-9/10', { 'last-modified': MODIFIED })],
    ['by a change long ago, whatever its ETag', SINCE_LONG, rest('bytes 4-9/10', { etag: '"v1"' })],
  ])('%s', async (_, first, second) => {
    const proof = 'etag' in first ? '"v1"' : MODIFIED;
    expect(
      await saved([
        [first, 'abcd', CUT],
        [second, 'efghij'],
      ]),
    ).toEqual([`bytes=4- if ${proof}`, 'abcdefghij']);
  });
});

describe('never two versions in one file: the whole is asked for behind', () => {
  test.each<[string, object, object]>([
    ['a rest of another ETag', V1, rest('bytes 4-9/10', { etag: '"v2"' })],
    ['a rest that was changed since', SINCE_LONG, rest('bytes 4-9/10', { 'last-modified': SINCE_LONG.date })],
    ['a rest from another place', V1, rest('bytes 3-9/10')],
    ['a rest of a longer file', V1, rest('bytes 4-10/11')],
    ['a rest that does not say where it belongs', V1, { status: 206 }],
    ['a rest that does not say it alone', V1, rest('bytes 4-9/10, bytes 4-9/10')],
    ['a rest in another unit', V1, rest('kilobytes 4-9/10')],
    ['a rest that is coded', V1, rest('bytes 4-9/10', { 'content-encoding': 'gzip' })],
    ['a range that can’t be had', V1, { status: 416, 'content-range': 'bytes */2' }],
  ])('%s', async (_, first, second) => {
    const answers: Answer[] = [
      [first, 'abcd', CUT],
      [second, 'EFGHIJ'],
      [{ 'content-length': '3' }, 'new'],
    ];
    const proof = 'etag' in first ? '"v1"' : MODIFIED;
    expect(await saved(answers)).toEqual([`bytes=4- if ${proof}`, 'whole', 'new']);
  });

  test.each<[string, object]>([
    ['a whole', { etag: '"v2"' }],
    ['a whole that says where a part belongs', { etag: '"v1"', 'content-range': 'bytes 4-9/10' }],
  ])('%s in place of a rest is the file, and a break in it counts by its own proof', async (_, whole) => {
    const { etag } = whole as typeof V1;
    const answers: Answer[] = [
      [V1, 'abcd', CUT],
      [whole, 'ABCDEF', CUT],
      [rest('bytes 6-11/12'), 'GHIJKL'],
    ];
    expect(await saved(answers)).toEqual(['bytes=4- if "v1"', `bytes=6- if ${etag}`, 'ABCDEFGHIJKL']);
  });

  test.each<[string, object]>([
    ['a weak ETag beside a change long ago', { ...SINCE_LONG, etag: 'W/"v1"' }],
    ['an ETag with words behind it', { etag: '"v1" x' }],
    ['a change at no time', { 'last-modified': 'long ago', date: SINCE_LONG.date }],
    ['a change without a time of the answer', { 'last-modified': MODIFIED }],
    ['a time of the answer alone', { date: SINCE_LONG.date }],
  ])('%s proves nothing: a part that is all of it begins a new file', async (_, first) => {
    const all = rest('bytes 0-2/3');
    const answers: Answer[] = [
      [first, 'abcd', CUT],
      [all, 'new'],
      [all, 'new'],
    ];
    expect(await saved(answers)).toEqual(['whole', 'whole', 'new']);
  });
});

test('a break before the first byte asks for the whole, whatever proof there is', async () => {
  const all = rest('bytes 0-9/10', V1);
  const answers: Answer[] = [
    [V1, CUT],
    [all, 'abcdefghij'],
    [all, 'abcdefghij'],
  ];
  expect(await saved(answers)).toEqual(['whole', 'whole', 'abcdefghij']);
});

test('bytes that came without an address are asked for again at the service', async () => {
  const answers: Answer[] = [
    [{}, 'abcd', CUT],
    [{}, 'abcdefghij'],
  ];
  expect(await saved(answers, { url: undefined })).toEqual(['renew', 'whole', 'abcdefghij']);
});

describe('a rest that ends before the file does', () => {
  test.each<[string, object]>([
    ['whose length the first answer told', V1],
    ['whose length only the rest tells', { etag: '"v1"' }],
  ])('is no end of a file %s: what is left is asked for', async (_, first) => {
    const answers: Answer[] = [
      [first, 'abcd', CUT],
      [rest('bytes 4-6/10'), 'efg'],
      [rest('bytes 7-9/10'), 'hij'],
    ];
    expect(await saved(answers)).toEqual(['bytes=4- if "v1"', 'bytes=7- if "v1"', 'abcdefghij']);
  });

  test('is told as cut off when no attempt is left', async () => {
    const { done } = open([[V1, 'abcd']], { retries: 0 });
    await expect(done).rejects.toThrow(texts.fileCutOffAfter);
  });
});

describe('what ends it', () => {
  const goesOn: Answer = [rest('bytes 4-9/10'), 'efghij'];

  test.each([
    ['a broken connection', CUT, [undefined, 'bytes=4- if "v1"']],
    ['a silent storage', new TimeoutError('silent'), [undefined, 'bytes=4- if "v1"']],
    ['a full disk', new FileError('full', 'ENOSPC'), ['thrown']],
    ['a closed client', new NetworkError('closed', CLIENT_CLOSED_CODE), ['thrown']],
  ])('%s', async (_, fault, [thrown, ...ranges]) => {
    const { done, asked } = open([[V1, 'abcd', fault], goesOn]);
    const end = await done.catch((error: unknown) => error);
    if (thrown === undefined) expect(end).toMatchObject({ sizeBytes: 10 });
    else expect(end).toBe(fault);
    expect(asked).toEqual(ranges);
  });

  test.each<[string, More, number]>([
    ['by the client’s own number', {}, 2],
    ['by the caller’s', { retries: 1 }, 1],
    ['by none', { retries: 0 }, 0],
    ['where it is not to be taken up', { resume: false }, 0],
    ['where it may be taken up', { resume: true }, 2],
  ])('the last attempt %s, with what broke it off', async (_, more, attempts) => {
    const last = new NetworkError('cut again');
    const answers: Answer[] = [...Array(attempts).fill([V1, CUT]), [V1, last], [V1, 'abcdefghij']];
    const { done, asked } = open(answers, more);
    await expect(done).rejects.toBe(last);
    expect(asked).toEqual(Array(attempts).fill('whole'));
  });

  test('a fault of the disk: nothing is asked for again', async () => {
    const fault = new FileError('full', 'ENOSPC');
    const { done, asked } = open([[V1, 'abcd'], goesOn], { write: () => Promise.reject(fault) });
    await expect(done).rejects.toBe(fault);
    expect(asked).toEqual([]);
  });

  test('an abort, with its own reason, though the connection broke of it on the last attempt', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const onProgress = () => stop.abort(reason);
    const { done } = open([[V1, 'abcd', CUT]], { retries: 0, signal: stop.signal, onProgress });
    await expect(done).rejects.toBe(reason);
  });

  test.each(['the caller', 'the client'])('%s, in the pause before the rest is asked for', async (who) => {
    vi.useFakeTimers();
    const [stop, close] = [new AbortController(), new AbortController()];
    const more = { signal: stop.signal, closing: close.signal, baseDelayMs: 1000 };
    const { done, asked } = open([[V1, 'abcd', CUT], goesOn], more);
    const end = done.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(499);
    const reason = new Error('enough');
    (who === 'the caller' ? stop : close).abort(reason);
    if (who === 'the caller') expect(await end).toBe(reason);
    else expect(await end).toMatchObject({ message: texts.storageGetSentAgain, code: CLIENT_CLOSED_CODE });
    expect(asked).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('each pause is twice as long as the one before', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { done, asked } = open(
    [
      [V1, CUT],
      [V1, CUT],
      [V1, 'abcdefghij'],
    ],
    { baseDelayMs: 1000 },
  );
  await vi.advanceTimersByTimeAsync(999);
  expect(asked).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1999);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(2);
  await done;
});

test('progress says how many bytes came of how many, and fewer again where the file begins anew', async () => {
  const told: unknown[] = [];
  const onProgress: ReceiveOptions['onProgress'] = ({ receivedBytes, totalBytes }) =>
    void told.push([receivedBytes, totalBytes]);
  const answers: Answer[] = [
    [{ etag: '"v1"' }, 'ab', 'cd', CUT],
    [rest('bytes 4-9/10'), 'ef', CUT],
    [{ 'content-length': '3' }, 'new'],
  ];
  await saved(answers, { onProgress });
  expect(told).toEqual([
    [2, undefined],
    [4, undefined],
    [6, 10],
    [3, 3],
  ]);
});

describe('the first bytes are looked at', () => {
  const of = (length: number) => 'x'.repeat(length);
  test.each<[string, readonly Answer[], readonly string[]]>([
    ['of a short file, when it is whole', [[{}, 'ab', 'c']], ['abc']],
    ['of an empty one too', [[{}]], ['']],
    ['as soon as they are enough', [[{}, of(511), 'y', 'z']], [`${of(511)}y`]],
    ['of a large piece', [[{}, `${of(512)}more`]], [of(512)]],
    ['of pieces of which the second is larger', [[{}, 'a', of(600)]], [`a${of(512)}`]],
    [
      'from both sides of a break',
      [
        [{ etag: '"v1"' }, of(100), CUT],
        [rest('bytes 100-599/600'), of(500)],
      ],
      [of(600)],
    ],
    [
      'anew where the file begins anew',
      [
        [V1, 'abcd', CUT],
        [{}, 'new'],
      ],
      ['new'],
    ],
  ])('%s, and once', async (_, answers, looks) => {
    const { done, checked } = open(answers);
    await done;
    expect(checked).toEqual(looks);
  });

  test('before they are written: what is not the file leaves nothing, and is not asked for again', async () => {
    const fault = new UnexpectedResponseError('a page', { operation: 'a.b', status: 200, excerpt: '' });
    const look = () => {
      throw fault;
    };
    const { done, asked, text } = open([[{}, of(600), CUT]], { look });
    await expect(done).rejects.toBe(fault);
    expect([asked, text()]).toEqual([[], '']);
  });
});
