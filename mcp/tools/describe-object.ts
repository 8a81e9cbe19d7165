import { RECIPIENT_FIELDS, SIGNER_EMAIL_PATHS, SIGNER_FIELDS } from '../../src/assumptions/index.ts';
import { isWholeList } from '../../src/pagination/page.ts';
import {
  getField,
  getName,
  getTextField,
  getTitle,
  includesName,
  isObject,
  type JsonObject,
} from '../../src/records/fields.ts';
import { DOCUMENT_FILE_FIELDS, DRAFT_CONTENT_FIELDS, SAFE_FIELDS } from '../assumptions.ts';
import { quoteText, quoteTextWithEmails } from '../result/quote.ts';
import { formatCount, getDisplayWidth, joinList, shortenQuotation } from '../tool/headline.ts';
import type { ToolContext } from '../tool/tool.ts';
import {
  describeLookup,
  findInList,
  getFormerName,
  getReference,
  getTemplateId,
  type ListedGroup,
  readDocument,
} from './object-lookup.ts';

const MAX_NAME = 60;
const MAX_ADDRESS = 70;
const MAX_DOCUMENTS = 5;

export interface DescribedObject {
  readonly name: string;
  /** Undefined if it could not be read. */
  readonly item: JsonObject | undefined;
  readonly about: JsonObject | undefined;
}

/**
 * Reads an object from its list, as a question names it: its own name and the document, room or template that people get
 * by it, or its ID.
 */
export async function describeObject(context: ToolContext, group: ListedGroup, id: string): Promise<DescribedObject> {
  const lookup = await findInList(context, { group, id });
  const former = await getFormerName(context, group, id);
  const about = await describeLookup(context, { group, lookup });
  const item = lookup.kind === 'found' ? lookup.item : undefined;
  const kind = group === 'links' && isObject(about?.['room']) ? 'room' : 'document';
  const read = isObject(about?.[kind]) ? about[kind] : undefined;
  const unreadId = getReference(item, 'document_id');
  const shown = read ?? (unreadId === undefined ? undefined : { id: unreadId });
  const target = getTitle(shown);
  const title = getTitle(item);
  const renamed = formatFormerName(title, former);
  const source = item && !read ? await describeSource(context, group, item) : undefined;
  const details = [renamed, describeTarget(title, kind, shown), source?.text ?? '']
    .filter((text) => text !== '')
    .join(', ');
  const missing = { found: '', 'not-found': ' (not found)', 'not-fully-searched': ' (could not be read)' }[lookup.kind];
  return {
    name: `${quoteName(title ?? target ?? getName(item) ?? id)}${details && ` (${details})`}${missing}`,
    item,
    about: source ? { ...about, ...source.about } : about,
  };
}

/** The documents or the template of an object that names no single document: a caller can give a draft any name. */
async function describeSource(context: ToolContext, group: ListedGroup, item: JsonObject) {
  // Those of a room are its contents.
  const contents = group === 'rooms' ? [] : getListedDocuments(item);
  if (contents.length > 0) {
    const { names, abouts } = await describeDocuments(context, contents);
    return { text: `document${contents.length > 1 ? 's' : ''} ${names}`, about: { contents: abouts } };
  }
  const id = group === 'templates' ? undefined : getTemplateId(item);
  const template = id === undefined ? undefined : await describeObject(context, 'templates', id);
  return template && { text: `template ${template.name}`, about: { template: template.about } };
}

/** The documents that a draft lists, by ID or as objects. */
export function getListedDocuments(item: JsonObject) {
  const listed = getField(item, 'documents') ?? getField(item, 'document_ids');
  return (Array.isArray(listed) ? listed : []).flatMap((entry: unknown) => {
    const id = getTextField(isObject(entry) ? entry : { id: entry }, ['document_id', 'id']);
    return id === undefined ? [] : { id, entry };
  });
}

export function formatFormerName(title: string | undefined, former: string | undefined): string {
  return former === undefined || former === title ? '' : `renamed from ${quoteName(former, 40)}`;
}

/** Names the document or room that people get, and its file, unless the name of an object already does. */
export function describeTarget(title: string | undefined, kind: string, shown: JsonObject | undefined) {
  const target = getTitle(shown);
  const isSame = title === undefined || target === undefined || toStem(target) === toStem(title);
  // An uploader chooses the title.
  const files = DOCUMENT_FILE_FIELDS.flatMap((name) => getTextField(shown, [name]) ?? []);
  const byStem = new Map(files.map((name) => [toStem(name), `file ${quoteName(name)}`]));
  byStem.delete(toStem(target ?? ''));
  const unnamed = target === undefined && byStem.size === 0 ? getName(shown, kind) : undefined;
  return [
    ...(isSame ? [] : [`${kind} ${quoteName(target, 40)}`]),
    // Without it, the name of the object would seem to be that of the document.
    ...(unnamed === undefined ? [] : [`${kind} ${quoteName(unnamed, 40)}, whose name could not be read`]),
    ...byStem.values(),
  ].join(', ');
}

/** A title without the ending of a file name, and without spaces or what replaces them. */
const toStem = (title: string) => title.toLowerCase().replace(/\.[a-z]\w{1,7}$|[\s_-]/g, '');

/** `entry`: the document as its agreement lists it, perhaps under an ID of the agreement's own. */
export async function describeDocument(context: ToolContext, id: string, entry?: unknown): Promise<DescribedObject> {
  const about = await readDocument(context, id);
  const title = getTitle(entry) ?? getTitle(about);
  const files = describeTarget(title, 'document', about);
  return { name: `${quoteName(title ?? id)}${files && ` (${files})`}`, item: about, about };
}

export async function describeDocuments(context: ToolContext, listed: readonly { id: string; entry?: unknown }[]) {
  const shown = listed.slice(0, MAX_DOCUMENTS);
  const documents = await Promise.all(shown.map(({ id, entry }) => describeDocument(context, id, entry)));
  const rest = listed.length > MAX_DOCUMENTS ? [formatCount(listed.length - MAX_DOCUMENTS, 'more documents')] : [];
  return {
    names: joinList([...documents.map(({ name }) => name), ...rest]),
    abouts: documents.map(({ about }) => about),
  };
}

/** Quotes a name on less than one row, however wide its characters are or have to be escaped. */
export function quoteName(name: unknown, maxColumns = MAX_NAME): string {
  const text = String(name);
  for (let limit = maxColumns; ; limit -= 5) {
    const quoted = quoteText(text.length > limit ? `${text.slice(0, limit - 1)}…` : text);
    if (getDisplayWidth(quoted) <= maxColumns + 12 || limit <= 5) return quoted;
  }
}

/** Shown for the name of an object without one. */
export const UNNAMED = 'without a name';

/** Quotes the name that a request gives a new object. */
export const quoteNewName = (fields: JsonObject) => quoteName(getTitle(fields) ?? UNNAMED);

/** The people of a request and its object, each once and as a question shows them: shortened addresses may look alike. */
export function getPeople(fields: JsonObject, item: JsonObject = {}): readonly string[] {
  const withoutEmail = getRecipients(fields).filter((person) => findEmails(person).length === 0);
  const people = [...getRecipients(item), ...withoutEmail].map(getEmailOrName);
  return [...new Set([...people, ...findEmails(fields)])].map(formatPerson);
}

const NOBODY = 'somebody without an address';

/** An object's recipients, under any spelling of their field; a plain address is a recipient with this email. */
export function getRecipients(item: JsonObject): readonly JsonObject[] {
  return RECIPIENT_FIELDS.flatMap((field) =>
    (getRecipientList(item, field) ?? []).map((person) => (isObject(person) ? person : { email: person })),
  );
}

/** A list of recipients, which may be wrapped; undefined if the service does not show it. */
function getRecipientList(item: JsonObject, field: string): readonly unknown[] | undefined {
  const value = getField(item, field);
  if (value === null) return [];
  return [value, ...Object.values(isObject(value) ? value : {})].find(Array.isArray);
}

/** Returns whether the service shows only some of an object's recipients, as `{data, has_more: true}` or by a greater count. */
export const hidesRecipients = (item: JsonObject) =>
  RECIPIENT_FIELDS.some((field) => {
    const [value, list] = [getField(item, field), getRecipientList(item, field)];
    const counts = ['_count', 's_count', '_total', 's_total'].map((end) => getField(item, field.replace(/s$/, end)));
    return list && (!isWholeList(value, field) || counts.some((count) => Number(count) > list.length));
  });

export const showsRecipients = (item: JsonObject) =>
  RECIPIENT_FIELDS.some((field) => getRecipientList(item, field) !== undefined);

/** Email addresses anywhere in a value, also several in one text: the service may send to any of them. */
export function findEmails(value: unknown, name = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => findEmails(one, name));
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => findEmails(inner, key));
  const text = String(value).trim();
  const emails = text.split(/[\s,;<>()[\]"]+/).filter((part) => /(^|[^/])@./.test(part));
  return isTextField(name) && emails[0] !== text ? [] : emails;
}

/** A text may name an address that gets nothing. */
export const isTextField = (name: string) => includesName([...SAFE_FIELDS, ...DRAFT_CONTENT_FIELDS], name);

export function formatPerson(person: unknown): string {
  const text = getEmailOrName(person);
  return text === NOBODY ? text : formatEmail(text);
}

/** Email address, or else name, of a person. */
export function getEmailOrName(person: unknown): string {
  if (!isObject(person)) return String(person);
  const email = getTextField(person, [...SIGNER_FIELDS.email, ...SIGNER_EMAIL_PATHS]);
  return email ?? getTextField(person, SIGNER_FIELDS.name) ?? NOBODY;
}

/**
 * A plain email address reads best without quotation marks; anything else is quoted. The end of a long one is always shown,
 * because the last names of a host say whose it is.
 */
export function formatEmail(text: string): string {
  const isPlain = /^[\w.!#%&*+/=?^{|}-]{1,64}@[\w.-]{1,120}$/.test(text);
  if (isPlain && text.length <= MAX_ADDRESS) return text;
  const quoted = quoteTextWithEmails(text);
  return getDisplayWidth(quoted) <= MAX_ADDRESS + 2 ? quoted : shortenQuotation(quoted, 12, MAX_ADDRESS - 13);
}
