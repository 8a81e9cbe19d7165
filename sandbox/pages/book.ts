import type { Service } from '../service.ts';
import { latest } from '../state/documents.ts';
import type { DocumentRecord, PageSize, Version, VisitRecord } from '../state/records.ts';
import { filesInSight } from '../state/room-sight.ts';
import { createDownloadAddress } from '../storage/addresses.ts';

/** One document of what a visitor reads, with the number of its first page. */
export interface Chapter {
  readonly title: string;
  readonly version: Version;
  readonly firstPage: number;
  /** At least 1: what has no pages of its own is shown as one sheet. */
  readonly pages: number;
  readonly downloadUrl: string;
}

/** What a link leads to: one document, or all files of a room with their pages numbered through. */
export interface Book {
  readonly title: string;
  readonly chapters: readonly Chapter[];
  readonly pages: number;
}

export function openBook(
  service: Service,
  visit: Pick<VisitRecord, 'id' | 'document_id' | 'link_id' | 'email'>,
): Book {
  const { documents, links, rooms } = service.state;
  const link = links.get(visit.link_id);
  const room = visit.document_id === null && link?.room_id ? rooms.get(link.room_id) : undefined;
  const sources = room
    ? filesInSight(room, { email: visit.email, link: link ?? {} }).flatMap(({ name, document_id }) => {
        const document = documents.get(document_id);
        return document ? [{ title: name, document }] : [];
      })
    : [documents.get(visit.document_id ?? '')].flatMap((document) =>
        document ? [{ title: document.name, document }] : [],
      );
  let firstPage = 1;
  const chapters = sources.map(({ title, document }) => {
    const chapter = toChapter(service, { title, document, firstPage, visit: visit.id });
    firstPage += chapter.pages;
    return chapter;
  });
  return { title: room?.name ?? chapters[0]?.title ?? 'Shared document', chapters, pages: firstPage - 1 };
}

function toChapter(
  service: Service,
  input: { title: string; document: DocumentRecord; firstPage: number; visit: string },
): Chapter {
  const { title, document, firstPage, visit } = input;
  const version = latest(document);
  const address = { version, name: document.file_name, visit };
  const { url: downloadUrl } = createDownloadAddress(service, address);
  return { title, version, firstPage, pages: Math.max(1, version.pages.length), downloadUrl };
}

/** The chapter that holds a page, and which of its own pages that is. */
export function findPage(
  book: Book,
  number: number,
): { chapter: Chapter; page: number; size: PageSize | undefined } | null {
  const chapter = book.chapters.findLast(({ firstPage }) => firstPage <= number);
  if (!chapter || number >= chapter.firstPage + chapter.pages) return null;
  const page = number - chapter.firstPage + 1;
  return { chapter, page, size: chapter.version.pages[page - 1] };
}

export function titleOfLink(service: Service, linkId: string): string {
  const link = service.state.links.get(linkId);
  const room = link?.room_id ? service.state.rooms.get(link.room_id) : undefined;
  const document = link?.document_id ? service.state.documents.get(link.document_id) : undefined;
  return document?.name ?? room?.name ?? 'Shared document';
}
