import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/records/fields.ts';
import type { Scope } from '../../../src/scopes.ts';
import { computeHmac, toCanonicalJson } from '../../canonical-json.ts';
import { MAX_FILE_BYTES } from '../../files/file-access.ts';
import {
  createNonce,
  createUrlToken,
  decryptForToken,
  encryptForToken,
  hashUrlToken,
  isUrlToken,
  ONE_TIME_URL_TTL_MS,
} from '../../pages/one-time-url.ts';
import { acquireSlot } from '../../pages/semaphore.ts';
import type { SharedState, StateProvider } from '../../state/shared-state.ts';
import type { Approval } from '../../tool/approval.ts';
import type { FileTransfer, Replacement, UploadRequest, UploadStatus } from '../../tool/file-transfer.ts';
import { ToolError } from '../../tool-error.ts';
import {
  beginAttempt,
  getAttemptStatus,
  type UploadAttempt,
  type UploadAttemptContext,
  type UploadAttemptStatus,
} from './upload-attempt.ts';

/** Grant, key and workspace of a transfer. */
export interface TransferOwner {
  readonly grant: string;
  /** Limits count for it, and it may ask for the outcome; the grant if missing. */
  readonly signIn?: string | undefined;
  readonly apiKey: string;
  /** Scopes of the sign-in; those of the key if missing. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Name of the workspace, if the sign-in has several. */
  readonly workspace?: string | undefined;
  /** Hash of the person behind a shared key, for the audit log. */
  readonly subject?: string | undefined;
}

/** URL that accepts one file. */
export interface UploadTicket extends TransferOwner {
  readonly name: string | undefined;
  readonly documentId: string | undefined;
  readonly replacement: Replacement | undefined;
  readonly approvedBy: Approval | undefined;
  readonly sizeBytes: number | undefined;
  readonly secondsLeft: number;
  /** Last attempt, if any. */
  readonly attempt: UploadAttemptStatus | undefined;
}

/**
 * Upload URLs in the shared state: a call opens one, any replica receives the file, a later call reports the outcome.
 */
export interface UploadTickets {
  forOwner(owner: TransferOwner): Pick<FileTransfer, 'upload'>;
  /** Returns undefined if there is none, or it has expired. */
  find(token: string): Promise<UploadTicket | undefined>;
  /** Starts an attempt, or returns the status of an earlier one. */
  begin(
    token: string,
    size: { totalBytes: number; maxDurationMs: number },
  ): Promise<UploadAttempt | UploadAttemptStatus | undefined>;
}

/** Maximum open URLs per sign-in. */
const MAX_OPEN_TICKETS = 8;
/** Bounds what an open URL stores. */
const MAX_REQUEST_CHARACTERS = 2000;
const POLL_INTERVAL_MS = 500;

export function createUploadTickets(options: {
  state: StateProvider;
  getUploadUrl: (token: string) => string;
  /** How long a status call waits for the file. */
  waitMs?: number;
  now?: () => number;
}): UploadTickets {
  const { getUploadUrl, waitMs = 20_000, now = Date.now } = options;
  const getAttemptContext = (state: SharedState, token: string): UploadAttemptContext => {
    return { state, hash: hashUrlToken(token), token, now };
  };

  async function openTicket(state: SharedState, owner: TransferOwner, wanted: UploadRequest, same: string) {
    const { grant, signIn = grant, apiKey, scopes, workspace, subject } = owner;
    const { name, documentId, sizeBytes, approvedBy, describe } = wanted;
    if (toCanonicalJson({ name, documentId }).length > MAX_REQUEST_CHARACTERS)
      throw new ToolError(
        'invalid_arguments',
        `name and document_id are longer than ${MAX_REQUEST_CHARACTERS} characters.`,
      );
    const expires = now() + ONE_TIME_URL_TTL_MS;
    const slot = await acquireSlot(state, { name: `hand-over ${signIn}`, max: MAX_OPEN_TICKETS, until: expires });
    if (slot === undefined)
      throw new ToolError(
        'too_many',
        `${MAX_OPEN_TICKETS} upload URLs are already open. Use one of them, or call again after they expire (within 10 minutes).`,
      );
    const nonce = createNonce();
    const token = getToken(state, nonce);
    const replacement = await describe?.();
    const about = { signIn, apiKey, scopes, workspace, subject };
    const content = { ...about, name, documentId, replacement, sizeBytes, approvedBy };
    const sealed = await encryptForToken(state.secret, token, content);
    const entry = { sealed, grant, same, nonce, slot, expires };
    await state.put(getEntryKey(token), entry, expires);
    const existing = await state.putIfAbsent(same, { nonce }, expires);
    if (!existing) return nonce;
    // If two such calls race, both return the URL that was stored first.
    await Promise.all([state.remove(getEntryKey(token)), state.remove(slot)]);
    return String(existing['nonce']);
  }

  async function readTicket(state: SharedState, token: string) {
    const entry = await state.get(getEntryKey(token));
    const sealed = entry && (await decryptForToken(state.secret, token, entry['sealed']));
    if (!entry || !sealed) return undefined;
    const attempt = await getAttemptStatus(getAttemptContext(state, token));
    if (!attempt && Number(entry['expires']) <= now()) return undefined;
    const ticket: UploadTicket = {
      grant: String(entry['grant']),
      signIn: toText(sealed['signIn']),
      apiKey: String(sealed['apiKey']),
      scopes: sealed['scopes'] as readonly Scope[] | undefined,
      workspace: toText(sealed['workspace']),
      subject: toText(sealed['subject']),
      name: toText(sealed['name']),
      documentId: toText(sealed['documentId']),
      replacement: sealed['replacement'] as Replacement | undefined,
      approvedBy: sealed['approvedBy'] as Approval | undefined,
      sizeBytes: typeof sealed['sizeBytes'] === 'number' ? sealed['sizeBytes'] : undefined,
      secondsLeft: Math.max(0, Math.round((Number(entry['expires']) - now()) / 1000)),
      attempt,
    };
    return { entry, ticket };
  }

  async function getStatus(state: SharedState, nonce: string, owner: TransferOwner): Promise<UploadStatus> {
    const token = getToken(state, nonce);
    const found = await readTicket(state, token);
    const isOwner = found?.ticket.signIn === (owner.signIn ?? owner.grant) && found.ticket.apiKey === owner.apiKey;
    if (!isOwner) throw createUnknownTicketError();
    const { attempt, secondsLeft } = found.ticket;
    const id = nonce;
    if (attempt?.phase === 'done') return { kind: 'done', id, result: attempt.outcome ?? {} };
    if (attempt?.phase === 'unknown') return { kind: 'unknown', id, message: UNKNOWN_OUTCOME_MESSAGE };
    if (attempt && attempt.phase !== 'failed')
      return { kind: 'running', id, sentBytes: attempt.sentBytes, totalBytes: attempt.totalBytes };
    const failure = attempt?.outcome;
    if (secondsLeft === 0) throw createExpiredError(failure);
    const url = getUploadUrl(token);
    return { kind: 'waiting', id, url, secondsLeft, limitBytes: MAX_FILE_BYTES, failure };
  }

  /** Waits for an outcome, but not for long: hosts abort calls that take a minute. */
  async function waitForOutcome(
    poll: () => Promise<UploadStatus>,
    { signal, progress }: Parameters<FileTransfer['upload']>[1],
  ): Promise<UploadStatus> {
    const until = now() + waitMs;
    for (;;) {
      const status = await poll();
      if (status.kind === 'running')
        progress.step(status.sentBytes, status.totalBytes, `received ${status.sentBytes} bytes`);
      const isOpen = status.kind === 'running' || (status.kind === 'waiting' && !status.failure);
      if (!isOpen || now() >= until) return status;
      await sleep(POLL_INTERVAL_MS, undefined, signal ? { signal } : {});
    }
  }

  /** After this, the same call opens a URL for another file. */
  async function releaseRepeatKey(state: SharedState, nonce: string): Promise<void> {
    const same = String((await state.get(getEntryKey(getToken(state, nonce))))?.['same']);
    const existing = await state.get(same);
    if (existing?.['nonce'] === nonce) await state.remove(same);
  }

  async function closeTicket(state: SharedState, nonce: string): Promise<void> {
    const key = getEntryKey(getToken(state, nonce));
    const entry = await state.get(key);
    await Promise.all([state.remove(key), state.remove(String(entry?.['slot']))]);
  }

  return {
    forOwner: (owner) => ({
      async upload(wanted, callOptions) {
        const state = await options.state();
        const { uploadTicket, describe, ...fileInfo } = wanted;
        const replacement = uploadTicket === undefined ? await describe?.() : undefined;
        const request = { ...wanted, describe: async () => replacement };
        const { grant, apiKey } = owner;
        const same = `hand-over-of ${computeHmac(state.secret, [grant, apiKey, toCanonicalJson({ ...fileInfo, places: replacement?.places })].join('\n'))}`;
        const existing = uploadTicket === undefined ? await state.get(same) : { nonce: uploadTicket };
        const open = async () => getStatus(state, await openTicket(state, owner, request, same), owner);
        if (!existing) return open();
        const nonce = String(existing['nonce']);
        const status = await waitForOutcome(() => getStatus(state, nonce, owner), callOptions);
        if (status.kind === 'done' || status.kind === 'unknown') await releaseRepeatKey(state, nonce);
        const hasChanged = status.kind === 'waiting' && status.failure?.['code'] === 'changed';
        if (!hasChanged || uploadTicket !== undefined) return status;
        // A new approval needs another URL, even if the change was undone.
        await releaseRepeatKey(state, nonce);
        await closeTicket(state, nonce);
        return open();
      },
    }),
    async find(token) {
      if (!isUrlToken(token)) return undefined;
      return (await readTicket(await options.state(), token))?.ticket;
    },
    async begin(token, { totalBytes, maxDurationMs }) {
      const state = await options.state();
      const entry = await state.get(getEntryKey(token));
      if (!entry || Number(entry['expires']) <= now()) return undefined;
      const slot = String(entry['slot']);
      // Its status is asked for longer than the URL is valid.
      const keep = async (until: number) => {
        await state.put(getEntryKey(token), entry, until);
        await state.put(String(entry['same']), { nonce: entry['nonce'] }, until);
        await state.put(slot, { until }, until);
      };
      const until = now() + maxDurationMs + ONE_TIME_URL_TTL_MS;
      const attempt = await beginAttempt(getAttemptContext(state, token), {
        totalBytes,
        until,
        // Otherwise the URL still waits for a file.
        onEnd: (phase) => (phase === 'failed' ? keep(now() + ONE_TIME_URL_TTL_MS) : state.remove(slot)),
      });
      if ('end' in attempt) await keep(until);
      return attempt;
    },
  };
}

const getEntryKey = (token: string) => `hand-over ${hashUrlToken(token)}`;

const getToken = (state: SharedState, nonce: string) => createUrlToken(state.secret, { kind: 'upload', nonce });

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const UNKNOWN_OUTCOME_MESSAGE =
  'The whole file was sent, but it is unknown whether the service saved it. Check list_documents, and upload it again only if it is missing.';

/** The URL expired after a failed attempt. */
function createExpiredError(failure: JsonObject | undefined): ToolError {
  const { code, message, ...details } = failure ?? {};
  return new ToolError(
    String(code ?? 'not_found'),
    `${String(message ?? '')} The upload URL has expired. Call again without hand_over for a new one.`.trim(),
    details,
  );
}

function createUnknownTicketError(): ToolError {
  return new ToolError(
    'not_found',
    'This upload has expired or does not exist. Its file may have arrived: check list_documents, and call again without hand_over for a new URL only if it is missing.',
  );
}
