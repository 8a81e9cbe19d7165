import { extname } from 'node:path';
import { ToolError } from '../tool-error.ts';

/** How files of well-known types begin. */
const SIGNATURES: readonly (readonly [type: string, begins: RegExp])[] = [
  ['PDF', /^%PDF-/],
  ['PNG', /^\x89PNG\r\n/],
  ['JPEG', /^\xff\xd8\xff/],
  ['GIF', /^GIF8[79]a/],
  ['ZIP', /^PK[^\w\s]{2}/],
  ['web page', /^\s*(<!doctype html|<html)/i],
  ['program', /^(\x7fELF|MZ.{50,})/s],
];

const EXPECTED: Readonly<Record<string, string>> = {
  '.pdf': 'PDF',
  '.png': 'PNG',
  '.jpg': 'JPEG',
  '.jpeg': 'JPEG',
  '.gif': 'GIF',
  '.docx': 'ZIP',
  '.pptx': 'ZIP',
  '.xlsx': 'ZIP',
};

/**
 * Refuses a file whose beginning is of another well-known type than its name says: a log-in page saved as a PDF.
 * Bytes that are of no known type pass.
 */
export function checkFileKind(name: string, start: Uint8Array): void {
  const expected = EXPECTED[extname(name).toLowerCase()];
  if (expected === undefined) return;
  const text = Buffer.from(start.subarray(0, 512)).toString('latin1');
  const found = SIGNATURES.find(([, begins]) => begins.test(text))?.[0];
  if (found !== undefined && found !== expected)
    throw new ToolError(
      'wrong_type',
      `${name} is named like a ${expected} file, but its content is a ${found}. Check the file, or give it its right name.`,
    );
}
