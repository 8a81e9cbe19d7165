import { UnexpectedResponseError } from '../errors.ts';
import { detectFileKind, getFileKind, getMediaTypeByName } from '../media-type.ts';

/** What a file should be, by what was said of it, and how its bytes begin. */
export interface FileKindCheck {
  readonly operation: string;
  readonly status: number;
  /** Names and media types given for the file before its bytes came, the target's own name among them. */
  readonly names: readonly (string | undefined)[];
  readonly type: string | undefined;
  /** Of the bytes themselves, as the storage says. */
  readonly storageType: string;
  readonly firstBytes: Uint8Array;
}

/**
 * Refuses what a storage or a log-in page answered in place of the file. Only well-known beginnings are told apart;
 * bytes of no known kind pass.
 * @throws UnexpectedResponseError
 */
export function checkFileKind(check: FileKindCheck): void {
  const { operation, status, firstBytes, storageType } = check;
  if (firstBytes.byteLength === 0)
    throw new UnexpectedResponseError(
      `${operation}: an empty file came, and was not saved. Ask for it again.`,
      {
        operation,
        status,
        excerpt: '',
      },
    );
  const types = [check.type, ...check.names.map((name) => getMediaTypeByName(name ?? ''))];
  const expected = types.flatMap((type) => getFileKind(type) ?? []);
  const actual =
    detectFileKind(firstBytes) ?? (expected.length > 0 ? getErrorTextKind(storageType) : undefined);
  if (actual === undefined || expected.includes(actual)) return;
  const isExpected = actual === 'web page' ? types.includes('text/html') : expected.length === 0;
  if (isExpected) return;
  const expectedText = expected[0] === undefined ? 'the file' : `a ${expected[0]}`;
  throw new UnexpectedResponseError(
    `${operation}: a ${actual} came in place of ${expectedText}, and was not saved. The address may ask for a log-in or have expired: ask for the file again.`,
    { operation, status, excerpt: '' },
  );
}

/** Texts that a failure is told in; no file that is known by its beginning has such a type. */
function getErrorTextKind(type: string): string | undefined {
  if (type === 'text/html') return 'web page';
  return /\bjson$/.test(type) ? 'JSON text' : undefined;
}
