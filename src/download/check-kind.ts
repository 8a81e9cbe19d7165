import { UnexpectedResponseError } from '../errors.ts';
import { kindOfStart, kindOfType, typeOfName } from '../media-type.ts';

/** What a file should be, by what was said of it, and how its bytes begin. */
export interface Arrived {
  readonly operation: string;
  readonly status: number;
  /** Names and media types given for the file before its bytes came, the target's own name among them. */
  readonly names: readonly (string | undefined)[];
  readonly type: string | undefined;
  /** Of the bytes themselves, as the storage says. */
  readonly givenType: string;
  readonly start: Uint8Array;
}

/**
 * Refuses what a storage or a log-in page answered in place of the file. Only well-known beginnings are told apart;
 * bytes of no known kind pass.
 * @throws UnexpectedResponseError
 */
export function checkKind(arrived: Arrived): void {
  const { operation, status, start, givenType } = arrived;
  if (start.byteLength === 0)
    throw new UnexpectedResponseError(
      `${operation}: an empty file came, and was not saved. Ask for it again.`,
      {
        operation,
        status,
        excerpt: '',
      },
    );
  const types = [arrived.type, ...arrived.names.map((name) => typeOfName(name ?? ''))];
  const expected = types.flatMap((type) => kindOfType(type) ?? []);
  const found = kindOfStart(start) ?? (expected.length > 0 ? kindOfText(givenType) : undefined);
  if (found === undefined || expected.includes(found)) return;
  const isWanted = found === 'web page' ? types.includes('text/html') : expected.length === 0;
  if (isWanted) return;
  const wanted = expected[0] === undefined ? 'the file' : `a ${expected[0]}`;
  throw new UnexpectedResponseError(
    `${operation}: a ${found} came in place of ${wanted}, and was not saved. The address may ask for a log-in or have expired: ask for the file again.`,
    { operation, status, excerpt: '' },
  );
}

/** Texts that a failure is told in; no file that is known by its beginning has such a type. */
function kindOfText(type: string): string | undefined {
  if (type === 'text/html') return 'web page';
  return /\bjson$/.test(type) ? 'JSON text' : undefined;
}
