import type { ZObject } from 'zapier-platform-core';
import { InputError } from './client-core.ts';
import { type OpenedFile, openFileUrl } from './open-file-url.ts';

/**
 * The platform gives a file as an address of its own; a data URL holds it, and any other text is the file's contents.
 * The key stays here.
 * @throws InputError for several files, for a name in place of a file, and for a web page in place of one.
 */
export async function openFile(z: ZObject, value: unknown): Promise<OpenedFile> {
  const file = requireSingleFile(value);
  const text = file.trim();
  if (/^data:/i.test(text)) return parseDataUrl(text);
  if (/^[^\n]{0,200}\.(pdf|docx?|pptx?|xlsx?|mp4|mov|key|png|jpe?g)$/i.test(text) && !/^https?:/i.test(text))
    throw new InputError(
      `"${text.slice(0, 60)}" is the name of a file, not the file. Map the file itself from an earlier step.`,
    );
  if (NOT_A_FILE_PATTERNS.some((pattern) => pattern.test(text)))
    throw new InputError(
      `"${text.slice(0, 60)}" is neither a file nor words for one. Map the file itself from an earlier step.`,
    );
  if (!/^https?:\/\/\S+$/i.test(text))
    return { source: Buffer.from(file), name: 'document.txt', type: 'text/plain' };
  return openFileUrl(z, text);
}

/** What stands for a file elsewhere, and would be shared as a document of a few odd words. */
const NOT_A_FILE_PATTERNS = [
  // Addresses that nobody can fetch from here, and paths of another machine.
  /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/\S+$/i,
  /^(?:www\.|[a-z]:\\|\\\\|~?\/)\S+$/i,
  // A link in Markdown or HTML, and a list of addresses.
  /^\[[^\]\n]*\]\(\S+\)$|^<a\s[^>]*>[^<]*<\/a>$/i,
  /^\[\s*"https?:[^"]*"(?:\s*,\s*"https?:[^"]*")*\s*\]$/i,
  // What programs write where they have nothing, or another kind of thing.
  /^(?:undefined|null|none|nan|true|false|[\d.,]+|\[object \w+\])$/i,
  /^hydrate\|\|\|/,
];

function requireSingleFile(value: unknown): string {
  const files = (Array.isArray(value) ? value : [value]).filter(
    (entry) => entry !== undefined && entry !== null,
  );
  const filled = files.map(String).filter((entry) => entry.trim() !== '');
  const [file] = filled;
  if (file === undefined) throw new InputError('Pick a file from an earlier step.');
  const urls = file.trim().split(/[\s,]+(?=https?:\/\/)/i);
  if (filled.length > 1 || (/^https?:\/\//i.test(file.trim()) && urls.length > 1))
    throw new InputError(
      `${Math.max(filled.length, urls.length)} files were given, and this step takes one. Pick one of them, or put a Looping step before this one.`,
    );
  return file;
}

function parseDataUrl(text: string): OpenedFile {
  const comma = text.indexOf(',');
  const header = text.slice(5, Math.max(5, comma)).toLowerCase();
  const [type = '', ...parameters] = header.split(';');
  const content = text.slice(comma + 1);
  const bytes = parameters.includes('base64') ? Buffer.from(content, 'base64') : percentDecode(content);
  if (comma < 0 || bytes === undefined || bytes.length === 0)
    throw new InputError('The data URL holds no file. Map the file itself from an earlier step.');
  const extension =
    EXTENSIONS[type] ??
    type
      .split('/')
      .at(-1)
      ?.match(/^[a-z0-9]+$/)?.[0];
  return {
    source: bytes,
    name: extension === undefined ? 'document' : `document.${extension}`,
    type: type === '' ? 'text/plain' : type,
  };
}

const EXTENSIONS: Readonly<Record<string, string>> = { '': 'txt', 'text/plain': 'txt', 'image/jpeg': 'jpg' };

function percentDecode(content: string): Buffer | undefined {
  try {
    return Buffer.from(decodeURIComponent(content));
  } catch {
    return undefined;
  }
}
