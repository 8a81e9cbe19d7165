import { ATTRIBUTES_FIELD } from '../../src/assumptions/index.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';

/** What else a record may tell of: the name of a newer link, say, in the record of the document that it shows. */
const RELATED_OBJECT_FIELD =
  /last|latest|recent|activity|event|document|link|room|agreement|proposal|template|contact|webhook/i;

/**
 * Whether an entry of a list is an object of the learner's own: a text of its own is the marker, as it was written. That it
 * stands somewhere in the entry is not enough, since records tell of one another.
 */
export function hasMarker(entry: unknown, { group, marker }: { group: string; marker: string }): boolean {
  if (!isObject(entry)) return false;
  const singular = group.replace(/s$/, '');
  const candidates = [entry, entry[ATTRIBUTES_FIELD], entry[singular]].filter(isObject);
  // Who else would link to a document of the learner's?
  const linkedDocuments = singular === 'link' ? [entry['document']].filter(isObject) : [];
  const describesObject = (name: string) =>
    !RELATED_OBJECT_FIELD.test(name.replace(new RegExp(singular, 'i'), ''));
  return [...candidates, ...linkedDocuments].some((object) =>
    getTexts(object, describesObject).some((text) => isMarkerText(text, marker)),
  );
}

function getTexts(object: JsonObject, describesObject: (name: string) => boolean): string[] {
  return Object.entries(object).flatMap(([name, value]) =>
    typeof value === 'string' && describesObject(name) ? [value] : [],
  );
}

/** A name, a changed one, a file, an address of a mail or the end of one of a page: the forms in which it is written. */
function isMarkerText(text: string, marker: string): boolean {
  const [before = '', after, ...more] = text.split(marker);
  if (after === undefined || more.length > 0) return false;
  return /^$|^https?:\/\/\S+\/$/.test(before) && /^$|^ b$|^\.pdf$|^@docshare-learn\.invalid$/.test(after);
}
