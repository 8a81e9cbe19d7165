import type { JsonObject } from '../../src/records/fields.ts';
import { formatListSentence } from '../tool/headline.ts';
import type { PendingAction, ToolContext } from '../tool/tool.ts';
import { quoteName } from './describe-object.ts';
import { getObjectAction } from './object-action.ts';
import { findAllInList, getItemTitle, type MatchingItems } from './object-preview.ts';

/** Confirms a new version of a document that people can open by a link or in a room; others see nothing of it. */
export async function getNewVersionAction(
  documentId: string,
  context: ToolContext,
): Promise<PendingAction | undefined> {
  const showsDocument = (item: JsonObject) => JSON.stringify(item).includes(JSON.stringify(documentId));
  const [links, rooms] = await Promise.all([
    findAllInList(context, { group: 'links', matches: showsDocument }),
    // Rooms whose contents the service does not show may hold any document.
    findAllInList(context, { group: 'rooms', matches: () => true }),
  ]);
  if (isNone(links) && isNone(rooms)) return undefined;
  return getObjectAction(['documents', documentId], {
    effect: `documents.newVersion ${documentId}`,
    getHeadline: ({ name }) =>
      formatListSentence(
        `Replace the file of ${name}. Everyone with access sees the new one at once: `,
        [...formatPlaces('link', links), ...formatPlaces('room', rooms)],
        { noun: 'links and rooms', none: 'its links and rooms could not be read' },
      ),
    notice: 'A room is named if it may contain the document.',
  });
}

const isNone = ({ items, isComplete }: MatchingItems) => isComplete && items.length === 0;

function formatPlaces(kind: 'link' | 'room', { items }: MatchingItems): readonly string[] {
  return items.map((item) => `${kind} ${quoteName(getItemTitle(item))}`);
}
