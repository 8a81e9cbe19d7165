import { getMediaTypeByName, UNKNOWN_TYPE } from '../../../src/media-type.ts';
import type { RoomRecord, Version, VisitRecord } from '../../state/records.ts';
import { getVisibleFiles } from '../../state/room-visibility.ts';
import type { Service } from '../../state/service.ts';
import { getLatestVersion } from '../../state/state.ts';
import type { FileView } from '../../storage/stored-file.ts';

/** The content of a link: one document, or all files of a room with continuous page numbers. */
export type SharedContent = ReturnType<typeof getSharedContent>;
/** One document of a share, with the number of its first page. */
export type ContentSection = SharedContent['sections'][number];

/** A file of unknown length may have up to this many pages. */
const MAX_PAGES = 20_000;
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

/** Returns the media type by which pages choose a preview. */
export function getPreviewType({ version, name }: FileView): string {
  const { content_type, pages } = version;
  // Uploads without a type, or with a wrong one, are often named correctly.
  const isUnverified = content_type === UNKNOWN_TYPE || (content_type === 'application/pdf' && pages.length === 0);
  return (isUnverified && getMediaTypeByName(name)) || content_type;
}

/** Checks a page number. Visitors keep reading the version that they opened. */
export function hasPage({ sections, pages }: SharedContent, number: number): boolean {
  const [singleSection] = sections;
  const pageCounts =
    sections.length === 1 ? (singleSection?.document.versions ?? []).map((entry) => entry.pages.length) : [];
  const maxPage = pageCounts.includes(0) ? MAX_PAGES : Math.max(pages, ...pageCounts);
  return Number.isInteger(number) && number >= 1 && number <= maxPage;
}

/** Returns a document of the content, in the version that the visitor opened. */
export function findFile(
  content: SharedContent,
  requested: { document: string; version: number },
): { version: Version; name: string } | null {
  const document = content.sections.find((section) => section.document.id === requested.document)?.document;
  const version = document?.versions.find((entry) => entry.version === requested.version);
  return document && version ? { version, name: document.file_name } : null;
}

export function getLinkTitle(service: Service, linkId: string): string {
  const link = service.state.links.get(linkId);
  const room = link?.room_id ? service.state.rooms.get(link.room_id) : undefined;
  const document = link?.document_id ? service.state.documents.get(link.document_id) : undefined;
  return document?.name ?? room?.name ?? 'Shared document';
}
