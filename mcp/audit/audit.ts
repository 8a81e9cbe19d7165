import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { JsonObject } from '../../src/records/fields.ts';
import { isObject } from '../../src/records/fields.ts';
import { hashCanonicalJson } from '../canonical-json.ts';
import { ToolError } from '../tool-error.ts';

/** By what an act was agreed to; `not_required` where it needed nobody's word. */
export type ConfirmedBy = 'form' | 'token' | 'page' | 'card' | 'not_required';

export interface AuditEntry {
  readonly tool: string;
  readonly args: JsonObject;
  readonly apiKey: string | undefined;
  readonly confirmed: ConfirmedBy;
}

/** The record of an act that is under way. */
export interface AuditRecord {
  /** `outcome`: `done`, or the code of the failure. Never throws: what happened can't be refused any more. */
  end(outcome: string, result?: JsonObject): void;
}

/** A file of JSON lines, two to a write: one before it (`started`) and one with its outcome, joined by `write`. */
export interface AuditLog {
  /** @throws ToolError where the line can't be written: what leaves no trace does not happen. */
  start(entry: AuditEntry): AuditRecord;
}

/** The path that stands for stdout; for servers whose stdout is no protocol. */
export const STDOUT_PATH = '-';

/**
 * Opens the file for appending, as 0600. It is opened anew for each line, so that a rotated or removed file is noticed.
 * @param options.replica the name of this server among its replicas: stands in each line, and for `{replica}` in the path.
 * @throws the system's error where it can't be opened; `ENXIO` for a pipe that nobody reads.
 */
export function openAudit(
  template: string,
  options: { onFailure: (error: unknown) => void; replica?: string },
): AuditLog {
  const { replica } = options;
  const path = replica === undefined ? template : template.replaceAll('{replica}', replica);
  const write = (line: string) => (path === STDOUT_PATH ? writeToStdout(line) : append(path, line));
  write('');
  return {
    start({ tool, args, apiKey, confirmed }) {
      const baseFields = {
        write: randomUUID(),
        ...(replica === undefined ? {} : { replica }),
        tool,
        arguments_sha256: hashCanonicalJson(args),
        key: fingerprintApiKey(apiKey),
        confirmed,
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
          'The audit file can’t be written, so nothing was done. Free its disk or fix its folder (--audit), then call again.',
        );
      }
      return {
        end(outcome, result = {}) {
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

/** Written before it goes on, as to a file: what leaves no trace does not happen. */
function writeToStdout(line: string): void {
  let rest = Buffer.from(line);
  const deadline = Date.now() + WRITE_TIMEOUT_MS;
  while (rest.byteLength > 0)
    try {
      rest = rest.subarray(writeSync(STDOUT_FD, rest));
    } catch (error) {
      // A pipe whose reader is behind takes more in a moment.
      const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isFull || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
}

/** Never waits: to open a pipe that nobody reads would take for ever, and so would a line for a reader that is behind. */
const APPEND_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

function append(path: string, line: string): void {
  const file = openSync(path, APPEND_FLAGS, 0o600);
  try {
    const stats = fstatSync(file);
    // An older file may be open to others; what stands in it is nobody else's business.
    if (stats.isFile() && (stats.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    // One write to a file opened for appending: lines of several processes don't mix.
    if (line !== '') writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

/** Tells keys apart across starts and says nothing about the key. */
function fingerprintApiKey(apiKey: string | undefined): string {
  return createHash('sha256')
    .update(`docshare audit\n${apiKey ?? ''}`)
    .digest('hex')
    .slice(0, 16);
}

/** The ids that an act is about, one level deep. */
function collectIds(value: JsonObject): JsonObject {
  const { fields } = value;
  const ids: JsonObject = isObject(fields) ? collectIds(fields) : {};
  for (const [name, inner] of Object.entries(value)) {
    const isIdField = name === 'id' || /_id$|[a-z]Id$/.test(name);
    if (isIdField && typeof inner === 'string') ids[name] = inner.slice(0, 128);
  }
  return ids;
}
