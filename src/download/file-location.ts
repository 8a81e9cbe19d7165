import { DOWNLOAD_TYPE_FIELDS, DOWNLOAD_URL_FIELDS, FILE_NAME_FIELDS } from '../assumptions/index.ts';
import { UNKNOWN_TYPE } from '../media-type.ts';
import { getValueAt } from '../profile/check-schema.ts';
import { isObject, type JsonObject } from '../records/fields.ts';
import { getNormalizedFields } from '../records/normalized-fields.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { sanitizeFileName } from './sanitize-file-name.ts';

/** URL of a file in a response, unchanged, with its name and type. */
export interface FileLocation {
  readonly url: string;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/**
 * Finds the URL in a JSON response, a JSON text or a bare URL. The URL at `learnedPath` is used if it is
 * signed, or if no usual field holds one: an unsigned URL may be a web page.
 */
export function findFileLocation(text: string, learnedPath?: readonly string[]): FileLocation | undefined {
  let raw: unknown = text.trim();
  try {
    raw = JSON.parse(text);
  } catch {
    // A bare URL is valid too.
  }
  if (typeof raw === 'string') return isUrl(raw) ? { url: raw } : undefined;
  const learnedValue = learnedPath && getValueAt(raw, learnedPath);
  const learnedUrl = typeof learnedValue === 'string' && isUrl(learnedValue) ? learnedValue : undefined;
  if (isSignedUrl(learnedUrl)) return toFileLocation(learnedUrl, getValueAt(raw, learnedPath?.slice(0, -1) ?? []));
  const commonLocation = findCommonLocation(raw);
  return commonLocation ?? (learnedUrl === undefined ? undefined : { url: learnedUrl });
}

function toFileLocation(url: string, container: unknown): FileLocation {
  const { getText } = getNormalizedFields(container);
  return { url, name: sanitizeFileName(getText(FILE_NAME_FIELDS)), type: getText(DOWNLOAD_TYPE_FIELDS) };
}

function findCommonLocation(raw: unknown): FileLocation | undefined {
  const objects = collectObjects(raw, 0);
  // Name order comes first, at any depth: a plain `url` at the top may be the object's own page.
  for (const field of DOWNLOAD_URL_FIELDS) {
    for (const object of objects) {
      const url = getNormalizedFields(object).getValue(field);
      if (typeof url === 'string' && isUrl(url)) return toFileLocation(url, object);
    }
  }
  // Otherwise the only signed URL, under any name.
  const signedUrls = new Set(objects.flatMap(Object.values).filter(isSignedUrl));
  const [url] = signedUrls;
  return url === undefined || signedUrls.size > 1 ? undefined : { url };
}

/** Signatures are in the query; a URL without one may be a web page. */
function isSignedUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s?]+\?\S{4}/i.test(value);
}

export function parseFileHeaders({ headers }: Pick<TransportResponse, 'headers'>) {
  return {
    name: parseDispositionFileName(headers['content-disposition']),
    type: headers['content-type']?.split(';')[0]?.trim().toLowerCase() || UNKNOWN_TYPE,
  };
}

function isUrl(text: string): boolean {
  return /^(?:https?:\/\/|\/)\S/i.test(text);
}

function collectObjects(value: unknown, depth: number): JsonObject[] {
  if (depth > 3) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => collectObjects(one, depth + 1));
  if (!isObject(value)) return [];
  return [value, ...Object.values(value).flatMap((nested) => collectObjects(nested, depth + 1))];
}

/** Returns the file name of a `Content-Disposition` header; the extended form (RFC 5987) takes precedence. */
export function parseDispositionFileName(disposition: string | undefined): string | undefined {
  if (disposition === undefined) return undefined;
  const extended = disposition.match(/(?:^|;)\s*filename\*\s*=\s*"?([\w-]*)'[^']*'([^";]+)/i);
  const plain = disposition.match(/(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i);
  const decoded = extended && decodeExtended(extended[1] ?? '', extended[2] ?? '');
  return sanitizeFileName(decoded ?? decodeLatin1(plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? ''));
}

function decodeExtended(charset: string, text: string): string | undefined {
  try {
    const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return new TextDecoder(charset || 'utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    // Broken escape or unknown charset: the plain form applies.
    return undefined;
  }
}

/** Headers are decoded as Latin-1, but many services send UTF-8. */
function decodeLatin1(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
