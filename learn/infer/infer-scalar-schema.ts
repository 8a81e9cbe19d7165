import type { Schema } from '../../src/profile/json-schema.ts';
import { ID_KINDS } from '../assumptions.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PREFIXED_ID = /^([a-z]{1,12}(?:_(?:test|live))?[_-])[\dA-Za-z]{4,64}$/;
const ID_NAME =
  /(?:^|[_\s-])(?:id|uuid|uid|guid|key)s?$|[a-z](?:Id|Uuid|Uid|Guid|Key)s?$|^(?:Id|ID|_id|.*Ids?)$/;
const TIME_NAME =
  /(?:^|[_-])(?:at|on|date|time|timestamp|created|updated|modified|expires|expiry|start|end|since|until)$|[a-z](?:At|On|Date|Time|Timestamp)$/i;

/** Whether a field of this name holds an id. */
export function isIdName(name: string): boolean {
  return ID_NAME.test(name);
}

/** Whether a field of this name holds a point in time. */
export function isTimeName(name: string): boolean {
  return TIME_NAME.test(name);
}

/** What a text stands for, by its form and the name that it stands under; nothing of the text itself. */
export function inferStringSchema(text: string, name: string): Schema {
  if (DATE_TIME.test(text)) return { type: 'string', format: 'date-time' };
  if (DATE.test(text)) return { type: 'string', format: 'date' };
  if (/^https?:\/\//i.test(text)) return { type: 'string', format: 'uri' };
  if (EMAIL.test(text)) return { type: 'string', format: 'email' };
  if (UUID.test(text)) return { type: 'string', format: 'uuid' };
  if (!isIdName(name)) {
    if (isTimeName(name) && /^\d{10}$/.test(text)) return { type: 'string', format: 'epoch-seconds' };
    if (isTimeName(name) && /^\d{13}$/.test(text)) return { type: 'string', format: 'epoch-ms' };
    return /^\d{1,19}$/.test(text) ? { type: 'string', format: 'digits' } : { type: 'string' };
  }
  if (/^\d{1,24}$/.test(text)) return { type: 'string', format: 'digits' };
  const prefix = PREFIXED_ID.exec(text)?.[1];
  if (prefix !== undefined)
    return {
      type: 'string',
      format: 'prefixed-id',
      ...(isServicePrefix(prefix, name) ? { 'x-prefix': prefix } : {}),
    };
  return /^[\w.~+/=-]{6,}$/.test(text) ? { type: 'string', format: 'opaque-id' } : { type: 'string' };
}

/** Ids of another system, and keys, may begin with whatever people call things. */
const EXTERNAL_ID_NAME =
  /external|foreign|remote|legacy|custom|client|partner|source|origin|ref|key|code|number/i;

/** Whether an id begins as services begin their own: `link_`, `lnk-`, `doc_live_`. */
function isServicePrefix(prefix: string, name: string): boolean {
  const [word = ''] = prefix.split(/[_-]/);
  if (EXTERNAL_ID_NAME.test(name)) return false;
  return ID_KINDS.some((kind) => kind === word || (word.length <= 4 && isAbbreviation(word, kind)));
}

/** `tpl` of `template`: its letters in their order, the first one first. */
function isAbbreviation(short: string, word: string): boolean {
  if (short[0] !== word[0]) return false;
  let at = 0;
  for (const letter of word) if (letter === short[at]) at += 1;
  return at === short.length;
}

/** The same of a number: a point in time where its name and its size say so. */
export function inferNumberSchema(value: number, name: string): Schema {
  if (!Number.isInteger(value)) return { type: 'number' };
  if (isTimeName(name) && value >= 1e8 && value < 1e11) return { type: 'integer', format: 'epoch-seconds' };
  if (isTimeName(name) && value >= 1e11 && value < 1e14) return { type: 'integer', format: 'epoch-ms' };
  return { type: 'integer' };
}
