import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { JsonObject } from '../../src/answer/fields.ts';
import { isObject } from '../../src/answer/fields.ts';
import { hashOf } from '../canonical.ts';
import { ToolError } from '../tool-error.ts';

/** By what an act was agreed to; `not_asked` where it needed nobody's word. */
export type ConfirmedBy = 'form' | 'token' | 'page' | 'card' | 'not_asked';

export interface AuditEntry {
  readonly tool: string;
  readonly args: JsonObject;
  readonly apiKey: string | undefined;
  readonly confirmed: ConfirmedBy;
}

/** The record of an act that is under way. */
export interface AuditRecord {
  /** `outcome`: `done`, or the code of the failure. Never throws: what happened can't be refused any more. */
  end(outcome: string, answer?: JsonObject): void;
}

/** A file of JSON lines, two to a write: one before it (`started`) and one with its outcome, joined by `write`. */
export interface Audit {
  /** @throws ToolError where the line can't be written: what leaves no trace does not happen. */
  start(entry: AuditEntry): AuditRecord;
}

/**
 * Opens the file for appending, as 0600. It is opened anew for each line, so that a rotated or removed file is noticed.
 * @throws the system's error where it can't be opened.
 */
export function openAudit(path: string, options: { onFailure: (error: unknown) => void }): Audit {
  append(path, '');
  return {
    start({ tool, args, apiKey, confirmed }) {
      const known = {
        write: randomUUID(),
        tool,
        arguments_sha256: hashOf(args),
        key: fingerprintOf(apiKey),
        confirmed,
      };
      const line = (outcome: string, ids: JsonObject) =>
        append(path, `${JSON.stringify({ time: new Date().toISOString(), ...known, ids, outcome })}\n`);
      const asked = idsIn(args);
      try {
        line('started', asked);
      } catch (error) {
        options.onFailure(error);
        throw new ToolError(
          'not_audited',
          'The audit file can’t be written, so nothing was done. Free its disk or fix its folder (--audit), then call again.',
        );
      }
      return {
        end(outcome, answer = {}) {
          try {
            line(outcome, { ...asked, ...idsIn(answer) });
          } catch (error) {
            options.onFailure(error);
          }
        },
      };
    },
  };
}

function append(path: string, line: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    const found = fstatSync(file);
    // An older file may be open to others; what stands in it is nobody else's business.
    if (found.isFile() && (found.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    // One write to a file opened for appending: lines of several processes don't mix.
    if (line !== '') writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

/** Tells keys apart across starts and says nothing about the key. */
function fingerprintOf(apiKey: string | undefined): string {
  return createHash('sha256')
    .update(`docshare audit\n${apiKey ?? ''}`)
    .digest('hex')
    .slice(0, 16);
}

/** The ids that an act is about, one level deep. */
function idsIn(value: JsonObject): JsonObject {
  const { fields } = value;
  const ids: JsonObject = isObject(fields) ? idsIn(fields) : {};
  for (const [name, inner] of Object.entries(value)) {
    const named = name === 'id' || /_id$|[a-z]Id$/.test(name);
    if (named && typeof inner === 'string') ids[name] = inner.slice(0, 128);
  }
  return ids;
}
