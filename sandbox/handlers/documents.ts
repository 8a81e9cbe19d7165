import { z } from 'zod';
import { readBody, refuseFields } from '../http/body.ts';
import { readByTemplate } from '../learned/template-form.ts';
import type { Detail } from '../refusal.ts';
import type { Service } from '../service.ts';
import { addVersion, createDocument, latest } from '../state/documents.ts';
import type { DocumentRecord } from '../state/records.ts';
import { find, newestFirst } from '../state/state.ts';
import { createDownloadAddress } from '../storage/addresses.ts';
import { receiveBase64, withoutContent } from '../storage/receive-base64.ts';
import { finalizeUpload, startUploadSession } from '../storage/upload-sessions.ts';
import type { HandlerCall, ReceivedFile } from './handler.ts';
import { type Listing, listing, type View } from './view.ts';

export function viewDocument(document: DocumentRecord): View {
  const version = latest(document);
  return {
    object: 'document',
    id: document.id,
    name: document.name,
    file_name: document.file_name,
    content_type: version.content_type,
    size: version.size,
    page_count: version.pages.length || null,
    version: version.version,
    created_at: document.created_at,
    updated_at: document.updated_at,
    custom: document.custom,
  };
}

function list({ service }: HandlerCall): Listing {
  return listing(newestFirst(service.state.documents), viewDocument);
}

export const UploadForm = z.object({ name: z.string().min(1).optional() });

async function create({ service, body, file }: HandlerCall): Promise<View> {
  const received = file ?? (await receiveBase64(service, body));
  const { known, custom } = readBody(UploadForm, file ? body : withoutContent(body));
  const document = await createDocument(service, { received, name: known.name ?? null, custom });
  return viewDocument(document);
}

function get({ service, id }: HandlerCall): View {
  const document = find(service.state.documents, id, 'document');
  const address = createDownloadAddress(service, { version: latest(document), name: document.file_name });
  return {
    ...viewDocument(document),
    download_url: address.url,
    versions: document.versions.map((version) => ({
      version: version.version,
      size: version.size,
      page_count: version.pages.length || null,
      created_at: version.created_at,
    })),
  };
}

function pages({ service, id }: HandlerCall): View[] {
  const document = find(service.state.documents, id, 'document');
  return latest(document).pages.map((size, index) => ({
    object: 'page',
    page: index + 1,
    width: size.width,
    height: size.height,
    thumbnail_url: `${service.origin}/thumbnails/${encodeURIComponent(document.id)}/${index + 1}.svg`,
  }));
}

function startUpload({ service, body }: HandlerCall): View {
  return startUploadSession(service, readUploadStart(service, body));
}

const FILE_NAMES = ['filename', 'fileName', 'file_name', 'name'] as const;
const MEDIA_TYPES = ['content_type', 'contentType', 'mime_type', 'mimeType'] as const;

/** §4: the body is not shown, so the profile says which names it demands; any other usual name is understood too. */
function readUploadStart(service: Service, body: unknown) {
  const { custom } = readBody(z.object({}), body);
  const template = service.learned?.facts.uploadStart;
  if (template) {
    const { takes } = service.learned?.operations['documents.startUpload'] ?? {};
    // In every body that was taken: the others were left out once.
    const { found, missing } = readByTemplate(template, custom, takes?.required);
    if (missing.length > 0) throw refuseFields(missing);
    return { fileName: textOr(found.get('name')), contentType: textOr(found.get('type')) };
  }
  const demanded = service.profile.uploadBody === 'none' ? [] : service.profile.uploadBody.split('+');
  const details = demanded.flatMap((field): Detail[] => {
    const value = custom[field];
    if (value === undefined) return [{ field, message: 'is required' }];
    const wanted = field.endsWith('size') ? 'number' : 'string';
    return typeof value === wanted ? [] : [{ field, message: `must be a ${wanted}` }];
  });
  if (details.length > 0) throw refuseFields(details);
  const text = (names: readonly string[]) => {
    const found = names.map((name) => custom[name]).find((value) => typeof value === 'string');
    return typeof found === 'string' && found !== '' ? found : null;
  };
  return { fileName: text(FILE_NAMES), contentType: text(MEDIA_TYPES) };
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export const FinalizeBody = z.object({
  storageKey: z.string().min(1),
  token: z.string().min(1),
  documentId: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
});

async function finalize({ service, body }: HandlerCall): Promise<View> {
  const { known, custom } = readBody(FinalizeBody, body);
  // Looked up before the upload is spent: a wrong documentId leaves it there for another try.
  const existing =
    known.documentId === undefined ? null : find(service.state.documents, known.documentId, 'document');
  const received: ReceivedFile = finalizeUpload(service, known);
  if (existing) return viewDocument(await addVersion(service, { document: existing, received }));
  const document = await createDocument(service, { received, name: known.name ?? null, custom });
  return viewDocument(document);
}

export const documents = { list, create, get, pages, startUpload, finalizeUpload: finalize };
