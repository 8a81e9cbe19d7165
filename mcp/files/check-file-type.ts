import { detectFileKind, getFileKind, getMediaTypeByName } from '../../src/media-type.ts';
import { ToolError } from '../tool-error.ts';

/**
 * Refuses a file whose beginning is of another well-known kind than its name says: a log-in page saved as a PDF.
 * Bytes that are of no known kind pass.
 */
export function checkFileType(name: string, start: Uint8Array): void {
  const expected = getFileKind(getMediaTypeByName(name));
  const found = detectFileKind(start);
  if (expected !== undefined && found !== undefined && found !== expected)
    throw new ToolError(
      'wrong_type',
      `${name} is named like a ${expected} file, but its content is a ${found}. Check the file, or give it its right name.`,
    );
}
