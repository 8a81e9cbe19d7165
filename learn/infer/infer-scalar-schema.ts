import type { Schema } from '../../src/profile/json-schema.ts';
import { ID_KINDS } from '../assumptions.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PREFIXED_ID = /^([a-z]{1,12}(?:_(?:test|live))?[_-])[\dA-Za-z]{4,64}$/;
const ID_NAME = /(?:^|[_\s-])(?:id|uuid|uid|guid|key)s?$|[a-z](?:Id|Uuid|Uid|Guid|Key)s?$|^(?:Id|ID|_id|.*Ids?)$/;
const TIME_NAME =
  /(?:^|[_-])(?:at|on|date|time|timestamp|created|updated|modified|expires|expiry|start|end|since|until)$|[a-z](?:At|On|Date|Time|Timestamp)$/i;

/** Infers the format of a text from the text and the name of its field, without keeping the text. */
export function inferStringSchema(text: string, name: string): Schema {
  if (DATE_TIME.test(text)) return { type: 'string', format: 'date-time' };
  if (DATE.test(text)) return { type: 'string', format: 'date' };
  if (/^https?:\/\//i.test(text)) return { type: 'string', format: 'uri' };
  if (EMAIL.test(text)) return { type: 'string', format: 'email' };
  if (UUID.test(text)) return { type: 'string', format: 'uuid' };
  if (!ID_NAME.test(name)) {
    const isTime = TIME_NAME.test(name);
    if (isTime && /^\d{10}$/.test(text)) return { type: 'string', format: 'epoch-seconds' };
    if (isTime && /^\d{13}$/.test(text)) return { type: 'string', format: 'epoch-ms' };
    return /^\d{1,19}$/.test(text) ? { type: 'string', format: 'digits' } : { type: 'string' };
  }
  if (/^\d{1,24}$/.test(text)) return { type: 'string', format: 'digits' };
  const prefix = PREFIXED_ID.exec(text)?.[1];
  if (prefix !== undefined)
    return { type: 'string', format: 'prefixed-id', ...(isServicePrefix(prefix, name) ? { 'x-prefix': prefix } : {}) };
  return /^[\w.~+/=-]{6,}$/.test(text) ? { type: 'string', format: 'opaque-id' } : { type: 'string' };
}

/** IDs of other systems, and keys, may start with a user-chosen prefix. */
const EXTERNAL_ID_NAME = /external|foreign|remote|legacy|custom|client|partner|source|origin|ref|key|code|number/i;

/** Returns whether an ID prefix is one that services use: `link_`, `lnk-`, `doc_live_`. */
function isServicePrefix(prefix: string, name: string): boolean {
  const [word = ''] = prefix.split(/[_-]/);
  if (EXTERNAL_ID_NAME.test(name)) return false;
  return ID_KINDS.some((kind) => kind === word || (word.length <= 4 && isAbbreviation(word, kind)));
}

/** Returns whether the letters of `short` occur in `word` in order, starting with the first: `tpl` for `template`. */
function isAbbreviation(short: string, word: string): boolean {
  if (short[0] !== word[0]) return false;
  let at = 0;
  for (const letter of word) if (letter === short[at]) at += 1;
  return at === short.length;
}

/** Infers the format of a number: a time if the name of its field and its size suggest one. */
export function inferNumberSchema(value: number, name: string): Schema {
  if (!Number.isInteger(value)) return { type: 'number' };
  if (!TIME_NAME.test(name) || value < 1e8 || value >= 1e14) return { type: 'integer' };
  return { type: 'integer', format: value < 1e11 ? 'epoch-seconds' : 'epoch-ms' };
}
