import type { ZObject } from 'zapier-platform-core';
import { DOWNLOAD_URL_FIELDS } from '../../src/assumptions/index.ts';
import { getTextField, InputError, isObject, parseWebUrl } from './client-core.ts';
import { type OpenedFile, openFileUrl } from './open-file-url.ts';

/**
 * Opens the value of a file field: Zapier's URL or file object, or a data URL. With `allowsText`, a clear text becomes a
 * text file. The API key is not sent.
 * @throws InputError for anything else, such as a file name, an ID or a path; for several files, and for a web page.
 */
export async function openFile(
  z: ZObject,
  value: unknown,
  { allowsText = false, name }: { allowsText?: boolean; name?: string | undefined } = {},
): Promise<OpenedFile> {
  const file = requireSingleFile(value);
  const text = file.trim();
  if (DATA_URL.test(text)) return parseDataUrl(text);
  if (/^https?:\/\/\S+$/i.test(text)) {
    const { url, problem } = parseWebUrl(text);
    if (!url) throw new InputError(`The file's URL ${problem}. Map the file itself from an earlier step.`);
    return openFileUrl(z, url.href, name);
  }
  if (allowsText && isProse(text)) return { source: Buffer.from(file), name: 'document.txt', type: 'text/plain' };
  throw new InputError(`"${text.slice(0, 60)}" is not a file. Map the file itself from an earlier step.`);
}

/** A sentence may begin with "Data:" too. */
const DATA_URL = /^data:(?:[\w.+-]+\/[\w.+-]+|[;,])/i;
const MIN_PROSE_LENGTH = 200;

/** True for several lines or a long text, unless every line is a file name or one word, such as a path or base64, or it is JSON. */
function isProse(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 && text.length <= MIN_PROSE_LENGTH) return false;
  const isName = (line: string) => /^[\x21-\x7e]+$|\.[a-z]\w{1,4}$/i.test(line.trim());
  return !lines.every(isName) && !/^(?:hydrate\|\|\||[[{]\s*["{[]|<[!?a-z])/i.test(text);
}

function requireSingleFile(value: unknown): string {
  const values = (Array.isArray(value) ? value : [value]).filter((entry) => entry !== undefined && entry !== null);
  const files = values.map((entry) =>
    isObject(entry) ? (getTextField(entry, DOWNLOAD_URL_FIELDS) ?? '') : String(entry),
  );
  const filled = files.filter((entry) => entry.trim() !== '');
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
  const [mediaType = '', ...parameters] = text.slice(5, Math.max(5, comma)).split(';');
  const type = mediaType.toLowerCase();
  const content = text.slice(comma + 1);
  const isBase64 = parameters.some((parameter) => parameter.toLowerCase() === 'base64');
  const bytes = isBase64 ? Buffer.from(content, 'base64') : percentDecode(content);
  const isInvalid = comma < 0 || (isBase64 && /[^\w+/=\s-]/.test(content));
  if (isInvalid || bytes === undefined || bytes.length === 0)
    throw new InputError('The data URL contains no file. Map the file itself from an earlier step.');
  const extension = EXTENSIONS[type] ?? /\/([a-z0-9]+)$/.exec(type)?.[1];
  const [, encodedName = ''] = /^(?:file)?name=(.+)$/i.exec(parameters.find((part) => /name=/i.test(part)) ?? '') ?? [];
  const name = percentDecode(encodedName)?.toString().replace(/^"|"$/g, '');
  return {
    source: bytes,
    name: name || (extension === undefined ? 'document' : `document.${extension}`),
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
