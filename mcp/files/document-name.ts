import { extname } from 'node:path';
import { ToolError } from '../tool-error.ts';

/** What documents end in. Nothing that a program runs, or an assistant reads as its instructions, does. */
const DOCUMENT_EXTENSIONS: readonly string[] =
  '.pdf .doc .docx .odt .rtf .ppt .pptx .odp .xls .xlsx .ods .csv .png .jpg .jpeg .tif .tiff .p7m .p7s .asice'.split(
    ' ',
  );

export function isDocumentName(name: string): boolean {
  return DOCUMENT_EXTENSIONS.includes(extname(name).toLowerCase());
}

/** @throws ToolError for a name that is none of a document. */
export function checkDocumentName(name: string): void {
  if (!isDocumentName(name))
    throw new ToolError(
      'path_not_allowed',
      `Only documents are saved: give path a name that ends in ${DOCUMENT_EXTENSIONS.slice(0, 3).join(', ')} or another ending of documents.`,
    );
}
