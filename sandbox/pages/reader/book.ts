import { getLatestVersion } from '../../state/latest-version.ts';
import type { Version, VisitRecord } from '../../state/records.ts';
import { getVisibleFiles } from '../../state/room-visibility.ts';
import type { Service } from '../../state/service.ts';

/** The content of a link: one document, or all files of a room with continuous page numbers. */
export type SharedContent = ReturnType<typeof getSharedContent>;
/** One document of a share, with the number of its first page. */
export type ContentSection = SharedContent['sections'][number];

/** A file of unknown length may have up to this many pages. */
const MAX_PAGES = 20_000;

export function getSharedContent(
  service: Service,
  visit: Pick<VisitRecord, 'id' | 'document_id' | 'link_id' | 'email'>,
) {
  const { documents, links, rooms } = service.state;
  const link = links.get(visit.link_id);
  const room = visit.document_id === null && link?.room_id ? rooms.get(link.room_id) : undefined;
  const sources = room
    ? getVisibleFiles(room, { email: visit.email, link: link ?? {} }).flatMap(({ name, document_id }) => {
        const document = documents.get(document_id);
        return document ? [{ title: name, document }] : [];
      })
    : [documents.get(visit.document_id ?? '')].flatMap((document) =>
        document ? [{ title: document.name, document }] : [],
      );
  let firstPage = 1;
  const sections = sources.map(({ title, document }) => {
    const version = getLatestVersion(document);
    // A file without pages is shown as one sheet.
    const section = { title, document, version, firstPage, pages: Math.max(1, version.pages.length) };
    firstPage += section.pages;
    return section;
  });
  return {
    title: room?.name ?? sections[0]?.title ?? 'Shared document',
    sections,
    pages: firstPage - 1,
    /** Hides the download; a reader's browser receives the bytes anyway. */
    mayDownload: link?.download_allowed ?? true,
  };
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
