import type { ZObject } from 'zapier-platform-core';
import { InputError, readWebUrl } from './client-core.ts';
import { type OpenedFile, openFileUrl } from './open-file-url.ts';

/**
 * Opens the value of a file field: Zapier's URL, a data URL, or text, which becomes a text file. The API key is not sent.
 * @throws InputError for several files, a file name or path, and a web page.
 */
export async function openFile(z: ZObject, value: unknown): Promise<OpenedFile> {
  const file = requireSingleFile(value);
  const text = file.trim();
  if (/^data:/i.test(text)) return parseDataUrl(text);
  if (/^[^\n]{0,200}\.(pdf|docx?|pptx?|xlsx?|mp4|mov|key|png|jpe?g)$/i.test(text) && !/^https?:/i.test(text))
    throw new InputError(
      `"${text.slice(0, 60)}" is a file name, not a file. Map the file itself from an earlier step.`,
    );
  if (NOT_A_FILE_PATTERNS.some((pattern) => pattern.test(text)))
    throw new InputError(`"${text.slice(0, 60)}" is not a file. Map the file itself from an earlier step.`);
  if (!/^https?:\/\/\S+$/i.test(text)) return { source: Buffer.from(file), name: 'document.txt', type: 'text/plain' };
  const { url, problem } = readWebUrl(text);
  if (!url) throw new InputError(`The file's URL ${problem}. Map the file itself from an earlier step.`);
  return openFileUrl(z, url.href);
}

/** Texts that refer to a file elsewhere, and must not become text documents. */
const NOT_A_FILE_PATTERNS = [
  // URLs with other schemes, and paths on another computer.
  /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/\S+$/i,
  /^(?:www\.|[a-z]:\\|\\\\|~?\/)\S+$/i,
  // Links in Markdown or HTML, and lists of URLs.
  /^\[[^\]\n]*\]\(\S+\)$|^<a\s[^>]*>[^<]*<\/a>$/i,
  /^\[\s*"https?:[^"]*"(?:\s*,\s*"https?:[^"]*")*\s*\]$/i,
  // Empty or non-text values of programs.
  /^(?:undefined|null|none|nan|true|false|[\d.,]+|\[object \w+\])$/i,
  /^hydrate\|\|\|/,
];

function requireSingleFile(value: unknown): string {
  const files = (Array.isArray(value) ? value : [value]).filter((entry) => entry !== undefined && entry !== null);
  const filled = files.map(String).filter((entry) => entry.trim() !== '');
  const [file] = filled;
  if (file === undefined) throw new InputError('Map a file from an earlier step in the field "File".');
  const urls = file.trim().split(/[\s,]+(?=https?:\/\/)/i);
  if (filled.length > 1 || (/^https?:\/\//i.test(file.trim()) && urls.length > 1))
    throw new InputError(
      `This step accepts one file and got ${Math.max(filled.length, urls.length)}. Map one of them, or add a Looping step before this one.`,
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
    throw new InputError('The data URL contains no file. Map the file itself from an earlier step.');
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
