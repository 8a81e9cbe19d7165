import {
  detectFileKind,
  getFileKind,
  getMediaTypeByName,
  hasPdfSignature,
  PDF_SIGNATURE_SEARCH_BYTES,
} from '../../src/media-type.ts';
import { ToolError } from '../tool-error.ts';

/** Compares a file's name with its first bytes, to catch a login page saved as a PDF. Unknown content passes, except as a PDF. */
export function findTypeMismatch(name: string, start: Uint8Array): { expected: string; found: string } | undefined {
  const expected = getFileKind(getMediaTypeByName(name));
  const found = detectFileKind(start);
  const isOtherThanPdf =
    expected === 'PDF' && start.byteLength >= PDF_SIGNATURE_SEARCH_BYTES && !hasPdfSignature(start);
  if (expected !== undefined && found === undefined && isOtherThanPdf)
    return { expected, found: 'file of another kind' };
  if (expected === undefined || found === undefined || found === expected) return undefined;
  return { expected, found };
}

/** @throws ToolError if the first bytes are of another known kind than the name. */
export function checkFileType(name: string, start: Uint8Array): void {
  const mismatch = findTypeMismatch(name, start);
  if (mismatch)
    throw new ToolError(
      'wrong_type',
      `${name} is named like a ${mismatch.expected} file, but its content is a ${mismatch.found}. Choose another file or correct its name.`,
    );
}
