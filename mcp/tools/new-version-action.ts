import { getField, type JsonObject } from '../../src/records/fields.ts';
import { GATE_SWITCH_FIELDS } from '../assumptions.ts';
import { openUploadSource } from '../files/upload-source.ts';
import { getResourceNoun, type PendingAction, type ToolContext } from '../tool/tool.ts';
import { describeDocument, quoteName } from './describe-object.ts';
import { findMatchingItems, getItemTitle } from './object-lookup.ts';

/** The file of a new version, from a path, a URL, the chat or the call itself. */
export interface NewVersion {
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  /** Name that the call gives the file. */
  readonly name?: string | undefined;
  readonly comesLater?: boolean;
}

function nameFile({ path, url, name, comesLater = false }: NewVersion): string {
  if (comesLater) return 'a file that is still to be uploaded';
  const source = path ?? url ?? name;
  return source === undefined ? 'content of this request' : quoteName(source);
}

/**
 * Confirms a new version of a document that people can open by a link or in a room, or that an agreement, proposal or
 * template contains; others see nothing of it. Confirms it always if the file comes later, when more may have access.
 */
export async function getNewVersionAction(
  documentId: string,
  context: ToolContext,
  file: NewVersion,
): Promise<PendingAction | undefined> {
  const readPlaces = async (context: ToolContext) => {
    const places = await Promise.all([
      ...(['links', 'agreements', 'proposals', 'templates'] as const).map((group) =>
        findDocumentUses(context, { group, matches: (item) => refersTo(item, 'document_id', documentId) }),
      ),
      // Rooms whose contents the service does not show may hold any document.
      findDocumentUses(context, { group: 'rooms', matches: () => true }),
    ]);
    const items = places.flatMap((place) => place.places).toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen));
    const isComplete = places.every((place) => place.isComplete);
    // First, because the end of the list may not be shown.
    const names = [...(isComplete ? [] : ['places that could not be read']), ...items.map(({ name }) => name)];
    return { names, isComplete, items: items.map(({ item }) => item) };
  };
  const first = await readPlaces(context);
  if (first.names.length === 0 && first.isComplete && !file.comesLater) return undefined;
  let latest: typeof first | undefined = first;
  return {
    effects: [`documents.newVersion ${documentId}`],
    async describe(context) {
      // Read again after the answer, because an approval counts only for the places that the question named.
      const { names, items } = latest ?? (await readPlaces(context));
      latest = undefined;
      const [{ name, about }, upload] = await Promise.all([
        describeDocument(context, documentId),
        file.path === undefined ? undefined : describeLocalFile(context, file.path),
      ]);
      return {
        headline: {
          before: `Replace the file of ${name} with ${nameFile(file)}. Everyone with access sees it at once: `,
          items: names,
          noun: 'places',
          none: 'nobody yet',
        },
        notice: 'A room is named if it may contain the document.',
        about: upload ? { ...about, upload } : about,
        basis: Object.fromEntries(items.entries()),
      };
    },
  };
}

/** The content of a local file, so that an approval counts for no other. */
export async function describeLocalFile(
  { files, options, shownFiles }: ToolContext,
  path: string,
): Promise<JsonObject> {
  const file = await openUploadSource({ path }, { files, signal: options.signal });
  try {
    let size_bytes = 0;
    for await (const chunk of 'stream' in file.source ? file.source.stream() : file.source)
      size_bytes += chunk.byteLength;
    const sha256 = file.sha256();
    shownFiles.set(path, sha256);
    return { file: path, size_bytes, sha256 };
  } finally {
    await file.close();
  }
}

/** Returns whether an object refers to an ID, in its usual field or, as a text, in any other. */
export const refersTo = (item: JsonObject, field: string, id: string) =>
  String(getField(item, field)) === id || JSON.stringify(item).includes(JSON.stringify(id));

/** Listed objects that match, with their names and whether anybody can open them. */
export async function findDocumentUses(context: ToolContext, search: Parameters<typeof findMatchingItems>[1]) {
  const { items, isComplete } = await findMatchingItems(context, search);
  const kind = getResourceNoun(search.group);
  const places = items.map((item) => {
    const isOpen = GATE_SWITCH_FIELDS.some((gate) => getField(item, gate) === false);
    return { name: `${kind} ${quoteName(getItemTitle(item))}${isOpen ? ' (open to anyone)' : ''}`, isOpen, item };
  });
  return { places, isComplete };
}
