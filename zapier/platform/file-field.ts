import type { ZObject } from 'zapier-platform-core';
import { InputError } from './core.ts';
import { type OpenedFile, openAddress } from './file-address.ts';

/**
 * The platform gives a file as an address of its own; a data URL holds it, and any other text is the file's contents.
 * The key stays here.
 * @throws InputError for several files, for a name in place of a file, and for a web page in place of one.
 */
export async function openFile(z: ZObject, given: unknown): Promise<OpenedFile> {
  const file = onlyOne(given);
  const text = file.trim();
  if (/^data:/i.test(text)) return readDataUrl(text);
  if (/^[^\n]{0,200}\.(pdf|docx?|pptx?|xlsx?|mp4|mov|key|png|jpe?g)$/i.test(text) && !/^https?:/i.test(text))
    throw new InputError(
      `"${text.slice(0, 60)}" is the name of a file, not the file. Map the file itself from an earlier step.`,
    );
  if (NO_FILE.some((form) => form.test(text)))
    throw new InputError(
      `"${text.slice(0, 60)}" is neither a file nor words for one. Map the file itself from an earlier step.`,
    );
  if (!/^https?:\/\/\S+$/i.test(text))
    return { source: Buffer.from(file), name: 'document.txt', type: 'text/plain' };
  return openAddress(z, text);
}

/** What stands for a file elsewhere, and would be shared as a document of a few odd words. */
const NO_FILE = [
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

function onlyOne(given: unknown): string {
  const files = (Array.isArray(given) ? given : [given]).filter((one) => one !== undefined && one !== null);
  const filled = files.map(String).filter((one) => one.trim() !== '');
  const [file] = filled;
  if (file === undefined) throw new InputError('Pick a file from an earlier step.');
  const addresses = file.trim().split(/[\s,]+(?=https?:\/\/)/i);
  if (filled.length > 1 || (/^https?:\/\//i.test(file.trim()) && addresses.length > 1))
    throw new InputError(
      `${Math.max(filled.length, addresses.length)} files were given, and this step takes one. Pick one of them, or put a Looping step before this one.`,
    );
  return file;
}

function readDataUrl(text: string): OpenedFile {
  const comma = text.indexOf(',');
  const head = text.slice(5, Math.max(5, comma)).toLowerCase();
  const [type = '', ...settings] = head.split(';');
  const content = text.slice(comma + 1);
  const bytes = settings.includes('base64') ? Buffer.from(content, 'base64') : unescaped(content);
  if (comma < 0 || bytes === undefined || bytes.length === 0)
    throw new InputError('The data URL holds no file. Map the file itself from an earlier step.');
  const ending =
    ENDINGS[type] ??
    type
      .split('/')
      .at(-1)
      ?.match(/^[a-z0-9]+$/)?.[0];
  return {
    source: bytes,
    name: ending === undefined ? 'document' : `document.${ending}`,
    type: type === '' ? 'text/plain' : type,
  };
}

const ENDINGS: Readonly<Record<string, string>> = { '': 'txt', 'text/plain': 'txt', 'image/jpeg': 'jpg' };

function unescaped(content: string): Buffer | undefined {
  try {
    return Buffer.from(decodeURIComponent(content));
  } catch {
    return undefined;
  }
}
