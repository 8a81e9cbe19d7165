import { UnexpectedResponseError } from '../errors.ts';
import { detectFileKind, getFileKind, getMediaTypeByName } from '../media-type.ts';

/** Metadata of a file, and its first bytes. */
interface FileKindCheck {
  readonly operation: string;
  readonly status: number;
  /** Names known before the bytes, including the target's own. */
  readonly names: readonly (string | undefined)[];
  readonly type: string | undefined;
  /** Media type of the bytes in the storage's response. */
  readonly storageType: string;
  readonly firstBytes: Uint8Array;
}

/**
 * Rejects an error or login page that came instead of the file. Bytes of an unknown kind pass.
 * @throws UnexpectedResponseError
 */
export function checkFileKind(check: FileKindCheck): void {
  const { operation, status, firstBytes, storageType } = check;
  const fail = (reason: string) => {
    throw new UnexpectedResponseError(`${operation}: ${reason}`, { operation, status, excerpt: '' });
  };
  if (firstBytes.byteLength === 0) fail('the file is empty, so it was not saved. Request it again.');
  const types = [check.type, ...check.names.map((name) => getMediaTypeByName(name ?? ''))];
  const expected = types.flatMap((type) => getFileKind(type) ?? []);
  const actual = detectFileKind(firstBytes) ?? (expected.length > 0 ? getErrorTextKind(storageType) : undefined);
  if (actual === undefined || expected.includes(actual)) return;
  const isExpected = actual === 'web page' ? types.includes('text/html') : expected.length === 0;
  if (isExpected) return;
  const expectedText = expected[0] === undefined ? 'the file' : `a ${expected[0]}`;
  fail(
    `got a ${actual} instead of ${expectedText}, so it was not saved. The URL may require a login or have expired; request the file again.`,
  );
}

/** Types of error messages; no kind with a known beginning has one. */
function getErrorTextKind(type: string): string | undefined {
  if (type === 'text/html') return 'web page';
  return /\bjson$/.test(type) ? 'JSON text' : undefined;
}
