import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/answer/fields.ts';
import { canonicalJson, hmacHash } from '../../canonical.ts';
import type { FileTransfer, UploadRequest, UploadStatus } from '../../contract/hand-over.ts';
import { FILE_LIMIT_BYTES } from '../../files/file-door.ts';
import type { OpenState, SharedState } from '../../state/shared-state.ts';
import { ToolError } from '../../tool-error.ts';
import {
  addressToken,
  freshNonce,
  hashOfAddress,
  isAddressToken,
  ONE_TIME_URL_TTL_MS,
  openSealed,
  sealFor,
} from '../one-time.ts';
import { takeSlot } from '../slots.ts';
import { beginRun, type Run, type RunPlace, type RunView, viewRun } from './hand-over-run.ts';

/** Under whose grant and with which key a file comes or goes. */
export interface Holder {
  readonly grant: string;
  readonly apiKey: string;
}

/** An address that takes one file. */
export interface OpenHandOver extends Holder {
  readonly name: string | undefined;
  readonly documentId: string | undefined;
  readonly sizeBytes: number | undefined;
  readonly secondsLeft: number;
  /** The last try, if there was one. */
  readonly run: RunView | undefined;
}

/** Hand-overs in the shared state: opened by a call, filled at any replica, reported by a later call. */
export interface HandOvers {
  door(holder: Holder): Pick<FileTransfer, 'upload'>;
  /** Undefined where there is none (any more). */
  find(token: string): Promise<OpenHandOver | undefined>;
  /** Begins to take the file; else how the one stands that came before. */
  begin(token: string, size: { totalBytes: number; withinMs: number }): Promise<Run | RunView | undefined>;
}

/** Addresses of one grant that wait for a file. */
const MAX_OPEN_TICKETS = 8;
const POLL_INTERVAL_MS = 500;

export function createHandOvers(options: {
  state: OpenState;
  uploadUrl: (token: string) => string;
  /** How long a call that asks how it went waits for the file. */
  waitMs?: number;
  now?: () => number;
}): HandOvers {
  const { uploadUrl, waitMs = 20_000, now = Date.now } = options;
  const getAttemptContext = (state: SharedState, token: string): RunPlace => {
    return { state, hash: hashOfAddress(token), token, now };
  };

  async function open(state: SharedState, { grant, apiKey }: Holder, wanted: UploadRequest, same: string) {
    const expires = now() + ONE_TIME_URL_TTL_MS;
    const slot = await takeSlot(state, {
      name: `hand-over ${grant}`,
      most: MAX_OPEN_TICKETS,
      until: expires,
    });
    if (slot === undefined)
      throw new ToolError(
        'too_many',
        `${MAX_OPEN_TICKETS} addresses wait for a file already: use one of those, or call again when they have ended, in ten minutes at most.`,
      );
    const nonce = freshNonce();
    const token = getToken(state, nonce);
    const { name, documentId, sizeBytes } = wanted;
    const sealed = await sealFor(state.secret, token, { apiKey, name, documentId, sizeBytes });
    const entry = { sealed, grant, same, nonce, slot, expires };
    await state.put(entryKey(token), entry, expires);
    const standing = await state.claim(same, { nonce }, expires);
    if (!standing) return nonce;
    // Of two such calls at once, both give the one address that came first.
    await Promise.all([state.remove(entryKey(token)), state.remove(slot)]);
    return String(standing['nonce']);
  }

  async function read(state: SharedState, token: string) {
    const entry = await state.get(entryKey(token));
    const sealed = entry && (await openSealed(state.secret, token, entry['sealed']));
    if (!entry || !sealed) return undefined;
    const run = await viewRun(getAttemptContext(state, token));
    if (!run && Number(entry['expires']) <= now()) return undefined;
    const hand: OpenHandOver = {
      grant: String(entry['grant']),
      apiKey: String(sealed['apiKey']),
      name: toText(sealed['name']),
      documentId: toText(sealed['documentId']),
      sizeBytes: typeof sealed['sizeBytes'] === 'number' ? sealed['sizeBytes'] : undefined,
      secondsLeft: Math.max(0, Math.round((Number(entry['expires']) - now()) / 1000)),
      run,
    };
    return { entry, hand };
  }

  async function getStatus(state: SharedState, nonce: string, holder: Holder): Promise<UploadStatus> {
    const token = getToken(state, nonce);
    const found = await read(state, token);
    if (!found || found.hand.grant !== holder.grant) throw unknownHandOver();
    const { run, secondsLeft } = found.hand;
    const id = nonce;
    if (run?.phase === 'done') return { kind: 'done', id, result: run.outcome ?? {} };
    if (run?.phase === 'unknown') return { kind: 'unknown', id, message: UNKNOWN };
    if (run && run.phase !== 'failed')
      return { kind: 'running', id, sentBytes: run.sentBytes, totalBytes: run.totalBytes };
    const failure = run?.outcome;
    if (secondsLeft === 0) throw ended(failure);
    const url = uploadUrl(token);
    return { kind: 'waiting', id, url, secondsLeft, limitBytes: FILE_LIMIT_BYTES, failure };
  }

  /** Waits while nothing has come of it, but not for long: hosts give up on calls that take a minute. */
  async function awaited(
    look: () => Promise<UploadStatus>,
    { signal, progress }: Parameters<FileTransfer['upload']>[1],
  ): Promise<UploadStatus> {
    const until = now() + waitMs;
    for (;;) {
      const status = await look();
      if (status.kind === 'running')
        progress.step(status.sentBytes, status.totalBytes, `received ${status.sentBytes} bytes`);
      const open = status.kind === 'running' || (status.kind === 'waiting' && !status.failure);
      if (!open || now() >= until) return status;
      await sleep(POLL_INTERVAL_MS, undefined, signal ? { signal } : {});
    }
  }

  /** The call that opened it, made once more, is for another file. */
  async function tellOnce(state: SharedState, nonce: string): Promise<void> {
    const same = String((await state.get(entryKey(getToken(state, nonce))))?.['same']);
    const standing = await state.get(same);
    if (standing?.['nonce'] === nonce) await state.remove(same);
  }

  return {
    door: (holder) => ({
      async upload(wanted, options_) {
        const state = await options.state();
        const { uploadTicket, ...about } = wanted;
        const same = `hand-over-of ${hmacHash(state.secret, `${holder.grant}\n${canonicalJson(about)}`)}`;
        const standing = uploadTicket === undefined ? await state.get(same) : { nonce: uploadTicket };
        if (!standing) return getStatus(state, await open(state, holder, wanted, same), holder);
        const nonce = String(standing['nonce']);
        const status = await awaited(() => getStatus(state, nonce, holder), options_);
        if (status.kind === 'done' || status.kind === 'unknown') await tellOnce(state, nonce);
        return status;
      },
    }),
    async find(token) {
      if (!isAddressToken(token)) return undefined;
      return (await read(await options.state(), token))?.hand;
    },
    async begin(token, { totalBytes, withinMs }) {
      const state = await options.state();
      const entry = await state.get(entryKey(token));
      if (!entry || Number(entry['expires']) <= now()) return undefined;
      const until = now() + withinMs + ONE_TIME_URL_TTL_MS;
      const run = await beginRun(getAttemptContext(state, token), { totalBytes, until });
      if (!('end' in run)) return run;
      // It is asked for longer than the address is good.
      await state.put(entryKey(token), entry, until);
      await state.put(String(entry['same']), { nonce: entry['nonce'] }, until);
      // It waits for no file any more.
      await state.remove(String(entry['slot']));
      return run;
    },
  };
}

const entryKey = (token: string) => `hand-over ${hashOfAddress(token)}`;

const getToken = (state: SharedState, nonce: string) => addressToken(state.secret, { kind: 'upload', nonce });

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const UNKNOWN =
  'The file was all there, but it is not known whether the service registered it. Look with list_documents, and hand it over again only if it is not there.';

/** The address ended after a try that was not taken. */
function ended(failure: JsonObject | undefined): ToolError {
  const { code, message, ...details } = failure ?? {};
  return new ToolError(
    String(code ?? 'not_found'),
    `${String(message ?? '')} The address has ended: call without hand_over for a new one.`.trim(),
    details,
  );
}

function unknownHandOver(): ToolError {
  return new ToolError(
    'not_found',
    'This hand-over has ended, or never was: call without hand_over for a new address.',
  );
}
