/** A download that is interrupted: what ends it, how long it pauses, and which bytes the client checks first. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DownloadSource } from '../../../../src/download/download-source.ts';
import { type ReceiveOptions, receiveFile } from '../../../../src/download/receive-file.ts';
import { FileError, NetworkError, TimeoutError, UnexpectedResponseError } from '../../../../src/index.ts';
import type { ExchangeContext } from '../../../../src/request/client-context.ts';
import { CLIENT_CLOSED_CODE } from '../../../../src/retry/retry.ts';
import { texts } from '../../../core/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

const CUT = new NetworkError('cut');
const V1 = { etag: '"v1"', 'content-length': '10' };
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

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
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
