import { basename, normalize } from 'node:path';
import { getName, getTitle, type JsonObject } from '../../src/records/fields.ts';
import { LINK_TARGET_PATTERN } from '../assumptions.ts';
import { hashCanonicalJson } from '../canonical-json.ts';
import { openUploadSource } from '../files/upload-source.ts';
import { withIdAndName } from '../result/projection.ts';
import { getResourceNoun, type ListReader, PATIENT, type PendingAction, type ToolContext } from '../tool/tool.ts';
import { describeDocument, formatEmail, formatFormerName, quoteName, UNNAMED } from './describe-object.ts';
import { getFieldChanges, isUngated } from './field-changes.ts';
import { findMatchingItems, getFormerName, readDocumentIfPossible } from './object-lookup.ts';

/** Longer ones would be cut at their ends. */
const MAX_PATH = 60;
const MAX_URL = 60;
/** In less time, nobody can approve something else meanwhile. */
const MIN_RECHECK_MS = 1000;
const UNREAD_PLACES = 'places that could not be read';

/** The file of a new version, from a path, a URL, the chat or the call itself. */
export interface NewVersion {
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  /** Name that the call gives the file. */
  readonly name?: string | undefined;
  readonly comesLater?: boolean;
}

/** Reads the file of an upload, as a question names it. */
export async function describeFile(
  context: ToolContext,
  { path, url, name, comesLater = false }: NewVersion,
): Promise<{ readonly name: string; readonly upload?: JsonObject }> {
  if (comesLater) return { name: 'a file that is still to be uploaded' };
  if (path !== undefined) return describeLocalFile(context, path);
  if (url === undefined) return { name: name === undefined ? 'content of this request' : quoteName(name) };
  // A shortened URL may not show whose it is.
  return { name: url.length > MAX_URL ? `a file from ${formatEmail(new URL(url).host)}` : quoteName(url) };
}

/**
 * Confirms a new version of a document that people can open by a link or in a room, or that an agreement, proposal or
 * template contains; others see nothing of it. Confirms it always if the file comes later, when more may have access.
 */
export async function getNewVersionAction(
  documentId: string,
  context: ToolContext,
  file: NewVersion,
): Promise<PendingAction> {
  let shown = await readPlaces(context, documentId);
  let [isCurrent, readAt] = [true, performance.now()];
  context.versionChecks.set(documentId, async () => {
    if (performance.now() - readAt < MIN_RECHECK_MS) return true;
    const { names } = await readPlaces({ ...context, options: { ...context.options, ...PATIENT } }, documentId);
    return names.length <= shown.names.length && names.every((name) => shown.names.includes(name));
  });
  return {
    isHarmless: shown.names.length === 0 && shown.isComplete && !file.comesLater,
    effects: [`documents.newVersion ${documentId}`],
    async describe(context) {
      // Read again after the answer, because an approval counts only for the places that the question named.
      if (!isCurrent) [shown, readAt] = [await readPlaces(context, documentId), performance.now()];
      isCurrent = false;
      const { names, items } = shown;
      const [{ name, about }, { name: newFile, upload }] = await Promise.all([
        describeDocument(context, documentId),
        describeFile(context, file),
      ]);
      return {
        headline: {
          before: `Replace the file of ${name} with ${newFile}. Everyone with access sees it at once: `,
          items: names,
          noun: 'places',
          none: 'nobody yet',
        },
        notice: 'A room or link is named if it may show the document.',
        // The details quote each value, so double quotation marks would be escaped there.
        about: { ...about, ...(upload && { upload }), places: names.map((one) => one.replace(/"(.*?)"/g, '‘$1’')) },
        basis: Object.fromEntries(items.entries()),
      };
    },
  };
}

/** Reads where people may get a document: links, rooms, agreements, proposals and templates. */
export async function readPlaces(context: ListReader, documentId: string) {
  const document = await readDocumentIfPossible(context, documentId);
  // The service may know the document by other spellings of its ID, such as capitals.
  const ids = [documentId, String(document?.['id'] ?? documentId)];
  const places = await Promise.all([
    ...(['links', 'agreements', 'proposals', 'templates'] as const).map((group) =>
      findDocumentUses(context, {
        group,
        matches: (item) =>
          ids.some((id) => refersTo(item, 'document_id', id)) || (group === 'links' && !hasTarget(item)),
      }),
    ),
    // Rooms whose contents the service does not show may hold any document.
    findDocumentUses(context, { group: 'rooms', matches: () => true }),
  ]);
  const items = places.flatMap((place) => place.places).toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen));
  const isComplete = document !== undefined && places.every((place) => place.isComplete);
  // First, because the end of the list may not be shown.
  const names = [
    ...(isComplete ? [] : [UNREAD_PLACES]),
    ...items.map((place) => formatPlace(place, place.isOpen ? 'open to anyone' : '')),
  ];
  return { names, isComplete, document, items: items.map(({ item }) => item) };
}

/** Equal for a document of the same name and the same places in any order, of which some may be unread. */
export const hashPlaces = (document: unknown, names: readonly string[]) =>
  hashCanonicalJson({ document: getTitle(document) ?? null, names: names.toSorted() });

/** The name and content of a local file, so that an approval counts for no other. A path can be spelled misleadingly. */
async function describeLocalFile({ files, options, shownFiles, memory }: ToolContext, path: string) {
  const file = await openUploadSource({ path }, { files, signal: options.signal });
  try {
    let size_bytes = 0;
    for await (const chunk of 'stream' in file.source ? file.source.stream() : file.source)
      size_bytes += chunk.byteLength;
    const sha256 = file.sha256();
    shownFiles.set(path, sha256);
    const [spelled, real = spelled] = [normalize(path), file.fileName];
    const saved = await memory.get(`file ${sha256} ${real}`);
    const isClear = basename(spelled) === real && spelled.length <= MAX_PATH;
    return {
      name: `${quoteName(isClear ? spelled : real)}${saved === undefined ? '' : ` (file ${quoteName(saved)})`}`,
      upload: { file: path, size_bytes, sha256 },
    };
  } finally {
    await file.close();
  }
}

/** Returns whether an object refers to an ID: as a text anywhere, or as a number in a field named like `field` (`room_id`). */
export function refersTo(item: JsonObject, field: string, id: string): boolean {
  if (JSON.stringify(item).includes(JSON.stringify(id))) return true;
  // `document: 5`, `document.id`, `documents.0.id` or `documentIds`, but not `document.version`.
  const reference = new RegExp(`${field.replace('_id', 's?')}(?:\\.\\d+)?(?:[._]?ids?)?$`, 'i');
  const values = getFieldChanges(Object.keys(item), item).filter(({ path }) => reference.test(path));
  return values.flatMap(({ to }) => to).some((value) => String(value) === id);
}

/** Returns whether a link says what it opens; otherwise it may show any document. */
function hasTarget(link: JsonObject): boolean {
  return getFieldChanges(Object.keys(link), link).some(
    ({ path, to }) =>
      LINK_TARGET_PATTERN.test(path) && [to].flat().some((value) => /^[\w-]+$/.test(String(value ?? ''))),
  );
}

/** Listed objects that match, with their names and whether anybody can open them. */
export async function findDocumentUses(context: ListReader, search: Parameters<typeof findMatchingItems>[1]) {
  const { items, isComplete } = await findMatchingItems(context, search);
  const kind = getResourceNoun(search.group);
  const places = items.map(async (item) => {
    const title = getName(item) ?? UNNAMED;
    const renamed = formatFormerName(
      title,
      await getFormerName(context, search.group, String(withIdAndName(item, kind)['id'])),
    );
    return { name: `${kind} ${quoteName(title)}`, renamed, isOpen: isUngated(item), item };
  });
  return { places: await Promise.all(places), isComplete };
}

export function formatPlace({ name, renamed }: { name: string; renamed: string }, state = ''): string {
  const details = [renamed, state].filter((text) => text !== '').join(', ');
  return `${name}${details && ` (${details})`}`;
}
