import { extname } from 'node:path';
import { isPortableName } from '../../src/download/sanitize-file-name.ts';
import { splitWords } from '../../src/split-words.ts';
import { ToolError } from '../tool-error.ts';

/** Extensions of documents. None is of a program, or of instructions that an assistant reads. */
const DOCUMENT_EXTENSIONS = splitWords(
  '.pdf .doc .docx .odt .rtf .ppt .pptx .odp .xls .xlsx .ods .csv .png .jpg .jpeg .tif .tiff .p7m .p7s .asice',
);

export function isDocumentName(name: string): boolean {
  return DOCUMENT_EXTENSIONS.includes(extname(name).toLowerCase());
}

/** @throws ToolError if the name is not that of a document, or would be another file or a device on Windows. */
export function checkDocumentName(name: string): void {
  if (!isPortableName(name))
    throw new ToolError(
      'path_not_allowed',
      `Files can't be saved as ${name}: the name is not valid on every system. Use letters, digits, spaces and hyphens.`,
    );
  if (!isDocumentName(name))
    throw new ToolError(
      'path_not_allowed',
      `Only documents can be saved. Use a path that ends in ${DOCUMENT_EXTENSIONS.slice(0, 3).join(', ')} or another document extension.`,
    );
}
