import { withExtension } from '../../src/media-type.ts';
import { readPageSizes } from '../pdf/read-page-sizes.ts';
import type { CustomFields, DocumentRecord, Version } from '../state/records.ts';
import { createBaseRecord, type Service } from '../state/service.ts';
import { getLatestVersion } from '../state/state.ts';
import type { ReceivedFile } from './stored-file.ts';

/** Stores a received file as a new document, by default named after the file without its extension. */
export async function createDocument(
  service: Service,
  input: { received: ReceivedFile; name: string | null; custom: CustomFields },
): Promise<DocumentRecord> {
  const version = await createVersion(service, { received: input.received, number: 1 });
  const fileName = withExtension(input.received.fileName ?? input.name ?? 'upload', version.content_type);
  const document: DocumentRecord = {
    ...createBaseRecord(service, 'document'),
    name: input.name ?? fileName.replace(/\.[A-Za-z0-9]{1,8}$/, ''),
    file_name: fileName,
    versions: [version],
    custom: input.custom,
  };
  service.state.documents.set(document.id, document);
  service.emit('document.created', { document_id: document.id, name: document.name });
  return document;
}

/** §4: with `documentId`, adds a version to that document instead of creating one. */
export async function addVersion(
  service: Service,
  input: { document: DocumentRecord; received: ReceivedFile },
): Promise<DocumentRecord> {
  const { document, received } = input;
  const version = await createVersion(service, { received, number: getLatestVersion(document).version + 1 });
  document.versions.push(version);
  document.updated_at = version.created_at;
  if (received.fileName) document.file_name = withExtension(received.fileName, version.content_type);
  return document;
}

async function createVersion(service: Service, input: { received: ReceivedFile; number: number }): Promise<Version> {
  const { key, contentType, size } = input.received;
  service.state.usage.bytes_uploaded += size;
  const pages = await readPageSizes(service.files.getPath(key), size);
  return {
    version: input.number,
    content: { kind: 'file', key },
    // Detected from the content, whatever type the caller sent.
    content_type: pages.length > 0 ? 'application/pdf' : contentType,
    size,
    pages,
    created_at: service.clock.now(),
  };
}
