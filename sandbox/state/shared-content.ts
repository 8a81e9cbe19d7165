import type { VisitRecord } from './records.ts';
import { getFolderPath, getVisibleFiles } from './room-visibility.ts';
import type { Service } from './service.ts';
import { getLatestVersion } from './state.ts';

/** The content of a link: one document, or all files of a room with continuous page numbers. */
export type SharedContent = ReturnType<typeof getSharedContent>;
/** One document of a share, with the number of its first page. */
export type ContentSection = SharedContent['sections'][number];

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
          const folders = getFolderPath(room, folder_id).map((folder) => folder.name);
          return document ? [{ title: name, document, folder: folders.reverse().join(' / ') }] : [];
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
