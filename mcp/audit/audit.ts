import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { JsonObject } from '../../src/records/fields.ts';
import { isObject } from '../../src/records/fields.ts';
import { hashCanonicalJson } from '../canonical-json.ts';
import { getSystemErrorCode } from '../error-code.ts';
import type { Approval } from '../tool/approval.ts';
import { ToolError } from '../tool-error.ts';

export interface AuditEntry {
  readonly tool: string;
  readonly args: JsonObject;
  readonly apiKey: string | undefined;
  /** Hash of the person behind a shared key. */
  readonly subject?: string | undefined;
  /** Name of the workspace, if the server is connected to several. */
  readonly workspace?: string | undefined;
  readonly approvedBy: Approval;
}

/** JSON lines, two per write: one before it (`started`) and one with its outcome, with the same `write` id. */
export type AuditLog = ReturnType<typeof openAudit>;

/** Path that means stdout, for servers that don't use stdout for the protocol. */
export const STDOUT_PATH = '-';

/**
 * Opens the file for appending, with mode 0600. It is reopened for each line, so that a rotated or removed file is noticed.
 * @param options.replica name of this server; added to each line and replaces `{replica}` in the path
 * @throws the system's error if it can't be opened; `ENXIO` for a pipe without a reader
 */
export function openAudit(template: string, options: { onFailure: (error: unknown) => void; replica?: string }) {
  const { replica } = options;
  const path = replica === undefined ? template : template.replaceAll('{replica}', replica);
  const write = (line: string) => (path === STDOUT_PATH ? writeToStdout(line) : append(path, line));
  write('');
  return {
    /** @throws ToolError if the line can't be written, so that no write goes unrecorded. */
    start({ tool, args, apiKey, subject, workspace, approvedBy }: AuditEntry) {
      const baseFields = {
        write: randomUUID(),
        ...(replica === undefined ? {} : { replica }),
        tool,
        arguments_sha256: hashCanonicalJson(args),
        key: fingerprintApiKey(apiKey),
        ...(subject === undefined ? {} : { subject }),
        ...(workspace === undefined ? {} : { workspace }),
        approved_by: approvedBy,
      };
      const line = (outcome: string, ids: JsonObject) =>
        write(`${JSON.stringify({ time: new Date().toISOString(), ...baseFields, ids, outcome })}\n`);
      const requestIds = collectIds(args);
      try {
        line('started', requestIds);
      } catch (error) {
        options.onFailure(error);
        throw new ToolError(
          'not_audited',
          'The audit file can’t be written, so nothing was done. Free disk space or fix the folder given with --audit, then call again.',
        );
      }
      return {
        /** `outcome`: `done`, or the error code. Never throws: the write has already happened. */
        end(outcome: string, result: JsonObject = {}): void {
          try {
            line(outcome, { ...requestIds, ...collectIds(result) });
          } catch (error) {
            options.onFailure(error);
          }
        },
      };
    },
  };
}

const STDOUT_FD = 1;
const WRITE_TIMEOUT_MS = 2000;

/** Blocks until the line is written, so that no write goes unrecorded. */
function writeToStdout(line: string): void {
  let rest = Buffer.from(line);
  const deadline = Date.now() + WRITE_TIMEOUT_MS;
  while (rest.byteLength > 0)
    try {
      rest = rest.subarray(writeSync(STDOUT_FD, rest));
    } catch (error) {
      // The pipe is full: its reader is behind.
      if (getSystemErrorCode(error) !== 'EAGAIN' || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
}

/** Non-blocking: opening a pipe without a reader, or writing to one whose reader is behind, would block forever. */
const APPEND_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/** Links that the system itself provides. */
const STANDARD_STREAM = /^\/dev\/std(?:out|err)$/;

/** @throws `ELOOP` for a link, whose owner would choose which file is changed. */
function append(path: string, line: string): void {
  const linkFlag = STANDARD_STREAM.test(path) ? 0 : (constants.O_NOFOLLOW ?? 0);
  const file = openSync(path, APPEND_FLAGS | linkFlag, 0o600);
  try {
    const stats = fstatSync(file);
    // An existing file may be readable by others.
    if (stats.isFile() && (stats.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    // A single appending write keeps lines of several processes apart.
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

/** Identifies a key across restarts without revealing it. */
function fingerprintApiKey(apiKey: string | undefined): string {
  return createHash('sha256')
    .update(`docshare audit\n${apiKey ?? ''}`)
    .digest('hex')
    .slice(0, 16);
}

/** A list of the objects that one write changes, in its arguments or its result. */
const OBJECT_LIST = /^(?:changes|ids|items|failed)$/;
const MAX_LISTED = 100;
const MAX_ID_LENGTH = 128;

/** Ids of the arguments or the result, and of the objects that they list. */
function collectIds(value: JsonObject): JsonObject {
  const lists = Object.entries(value).flatMap(([name, listed]) => {
    // Failures may be given by ID.
    const list = name === 'failed' && isObject(listed) ? Object.keys(listed) : listed;
    if (!OBJECT_LIST.test(name) || !Array.isArray(list)) return [];
    const entries = list.slice(0, MAX_LISTED).flatMap((entry: unknown) => {
      const ids = collectOwnIds(isObject(entry) ? entry : /^(?:ids|failed)$/.test(name) ? { id: entry } : {});
      return Object.keys(ids).length > 0 ? [ids] : [];
    });
    return entries.length > 0 ? [[name, entries] as const] : [];
  });
  return { ...collectOwnIds(value), ...Object.fromEntries(lists) };
}

/** Ids of an object, and in its `fields`. */
function collectOwnIds(value: JsonObject): JsonObject {
  const { fields } = value;
  const ids: JsonObject = isObject(fields) ? collectOwnIds(fields) : {};
  for (const [name, inner] of Object.entries(value)) {
    const isIdField = name === 'id' || /_id$|[a-z]Id$/.test(name);
    if (isIdField && typeof inner === 'string') ids[name] = inner.slice(0, MAX_ID_LENGTH);
  }
  return ids;
}
