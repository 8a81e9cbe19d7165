import { ATTRIBUTES_FIELD } from '../../src/assumptions/index.ts';
import { isObject } from '../../src/records/fields.ts';

/** Fields that may describe a related object, such as the name of the newest link in a document. */
const RELATED_OBJECT_FIELD =
  /last|latest|recent|activity|event|document|link|room|agreement|proposal|template|contact|webhook/i;

/**
 * Returns whether a list item is an object that this run created: one of its direct text fields is the marker. A marker
 * in a nested object is not enough, because records contain texts of related objects.
 */
export function hasMarker(entry: unknown, { group, marker }: { group: string; marker: string }): boolean {
  if (!isObject(entry)) return false;
  const singular = group.replace(/s$/, '');
  const candidates = [entry, entry[ATTRIBUTES_FIELD], entry[singular]].filter(isObject);
  // Only this run links to its own document.
  const linkedDocuments = singular === 'link' ? [entry['document']].filter(isObject) : [];
  const describesObject = (name: string) => !RELATED_OBJECT_FIELD.test(name.replace(new RegExp(singular, 'i'), ''));
  return [...candidates, ...linkedDocuments].some((object) =>
    Object.entries(object).some(
      ([name, value]) => typeof value === 'string' && describesObject(name) && isMarkerText(value, marker),
    ),
  );
}

/** Returns whether a text is the marker as written: a name, a changed name, a file, an email address or a URL. */
function isMarkerText(text: string, marker: string): boolean {
  const [before = '', after, ...more] = text.split(marker);
  if (after === undefined || more.length > 0) return false;
  return /^$|^https?:\/\/\S+\/$/.test(before) && /^$|^ b$|^\.pdf$|^@docshare-learn\.invalid$/.test(after);
}
