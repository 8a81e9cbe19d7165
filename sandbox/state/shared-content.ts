import type { RoomRecord, VisitRecord } from './records.ts';
import { getVisibleFiles } from './room-visibility.ts';
import type { Service } from './service.ts';
import { getLatestVersion } from './state.ts';

/** The content of a link: one document, or all files of a room with continuous page numbers. */
export type SharedContent = ReturnType<typeof getSharedContent>;
/** One document of a share, with the number of its first page. */
export type ContentSection = SharedContent['sections'][number];

/** Folders can contain each other. */
const MAX_DEPTH = 32;

export function getSharedContent(
  service: Service,
  visit: Pick<VisitRecord, 'id' | 'document_id' | 'link_id' | 'email'>,
) {
  const { documents, links, rooms } = service.state;
  const link = links.get(visit.link_id);
  const room = visit.document_id === null && link?.room_id ? rooms.get(link.room_id) : undefined;
  const sources = room
    ? getVisibleFiles(room, { email: visit.email, link: link ?? {} })
        .flatMap(({ name, document_id, folder_id }) => {
          const document = documents.get(document_id);
          return document ? [{ title: name, document, folder: getFolderPath(room, folder_id) }] : [];
        })
        .sort((one, other) => one.folder.localeCompare(other.folder, 'en'))
    : [documents.get(visit.document_id ?? '')].flatMap((document) =>
        document ? [{ title: document.name, document, folder: '' }] : [],
      );
  let firstPage = 1;
  const sections = sources.map((source) => {
    const { document } = source;
    const version = getLatestVersion(document);
    // A file without pages is shown as one sheet.
    const section = { ...source, version, firstPage, pages: Math.max(1, version.pages.length) };
    firstPage += section.pages;
    return section;
  });
  return {
    title: room?.name ?? sections[0]?.title ?? 'Shared document',
    isRoom: room !== undefined,
    /** True if the room has files that this visitor may not see. */
    isDenied: room !== undefined && room.files.length > 0 && sections.length === 0,
    sections,
    pages: firstPage - 1,
    /** Hides the download; a reader's browser receives the bytes anyway. */
    mayDownload: link?.download_allowed ?? true,
  };
}

/** Returns the names of a folder and those that contain it. */
function getFolderPath(room: RoomRecord, folderId: string | null): string {
  const names: string[] = [];
  for (let id = folderId; id !== null && names.length < MAX_DEPTH; ) {
    const folder = room.folders.find((entry) => entry.id === id);
    if (folder) names.unshift(folder.name);
    id = folder?.parent_id ?? null;
  }
  return names.join(' / ');
}
