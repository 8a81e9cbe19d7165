import { isObject, type JsonObject } from '../answer/fields.ts';
import { getParsedFields } from '../answer/parsed-fields.ts';
import { DOWNLOAD_TYPE_FIELDS, DOWNLOAD_URL_FIELDS, FILE_NAME_FIELDS } from '../assumptions/index.ts';
import { UNKNOWN_TYPE } from '../media-type.ts';
import { valueAt } from '../profile/check-form.ts';
import type { TransportResponse } from '../wire/transport.ts';
import { safeName } from './safe-name.ts';

/** What an answer says of a file: its address, as given, and what it is called. */
export interface Address {
  readonly url: string;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/**
 * The address in a JSON answer, a JSON text or a bare address. Where it was `learned` to stand wins where nothing of a
 * usual name is there, or a signed address is: any other may be a page for people.
 */
export function findAddress(text: string, learned?: readonly string[]): Address | undefined {
  let raw: unknown = text.trim();
  try {
    raw = JSON.parse(text);
  } catch {
    // A bare address is an answer too.
  }
  if (typeof raw === 'string') return isAddress(raw) ? { url: raw } : undefined;
  const known = learned && valueAt(raw, learned);
  const address = typeof known === 'string' && isAddress(known) ? known : undefined;
  if (isSignedAddress(address)) return describeAddress(address, valueAt(raw, learned?.slice(0, -1) ?? []));
  const usual = findUsual(raw);
  return usual ?? (address === undefined ? undefined : { url: address });
}

function describeAddress(url: string, holder: unknown): Address {
  const { getText } = getParsedFields(holder);
  return { url, name: safeName(getText(FILE_NAME_FIELDS)), type: getText(DOWNLOAD_TYPE_FIELDS) };
}

function findUsual(raw: unknown): Address | undefined {
  const objects = objectsIn(raw, 0);
  // The likeliest name first, wherever it stands: a plain `url` at the top may be the object's own page.
  for (const field of DOWNLOAD_URL_FIELDS) {
    for (const object of objects) {
      const url = getParsedFields(object).getValue(field);
      if (typeof url === 'string' && isAddress(url)) return describeAddress(url, object);
    }
  }
  // Under a name that nobody foresaw: the only signed address there is.
  const addresses = new Set(objects.flatMap(Object.values).filter(isSignedAddress));
  const [url] = addresses;
  return url === undefined || addresses.size > 1 ? undefined : { url };
}

/** With a query, which is where signatures stand: any other address may be a page for people. */
function isSignedAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s?]+\?\S{4}/i.test(value);
}

/** What the head of the bytes themselves says of the file. */
export function describeHead({ headers }: Pick<TransportResponse, 'headers'>) {
  return {
    name: nameOfDisposition(headers['content-disposition']),
    type: headers['content-type']?.split(';')[0]?.trim().toLowerCase() || UNKNOWN_TYPE,
  };
}

function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|\/)\S/i.test(text);
}

function objectsIn(value: unknown, depth: number): JsonObject[] {
  if (depth > 3) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => objectsIn(one, depth + 1));
  if (!isObject(value)) return [];
  return [value, ...Object.values(value).flatMap((nested) => objectsIn(nested, depth + 1))];
}

/** The file name of a `Content-Disposition` header; the extended form (RFC 5987) wins over the plain one. */
export function nameOfDisposition(disposition: string | undefined): string | undefined {
  if (disposition === undefined) return undefined;
  const extended = disposition.match(/(?:^|;)\s*filename\*\s*=\s*"?([\w-]*)'[^']*'([^";]+)/i);
  const plain = disposition.match(/(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i);
  const decoded = extended && decodeExtended(extended[1] ?? '', extended[2] ?? '');
  return safeName(decoded ?? decodeRaw(plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? ''));
}

function decodeExtended(charset: string, text: string): string | undefined {
  try {
    const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return new TextDecoder(charset || 'utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    // A broken escape or an unknown charset: the plain form stands.
    return undefined;
  }
}

/** Headers are read as Latin-1; many services put plain UTF-8 there. */
function decodeRaw(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
