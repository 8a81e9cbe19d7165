import { getMediaTypeByName, UNKNOWN_TYPE } from '../../../src/media-type.ts';
import type { Version } from '../../state/records.ts';
import type { Service } from '../../state/service.ts';
import type { SharedContent } from '../../state/shared-content.ts';
import type { FileView } from '../../storage/stored-file.ts';

/** A file of unknown length may have up to this many pages. */
const MAX_PAGES = 20_000;
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
