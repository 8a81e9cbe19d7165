import { z } from 'zod';
import { createFieldRejection, parseBody } from '../http/body.ts';
import { parseByTemplate } from '../learned/template-form.ts';
import type { FieldError } from '../refusal.ts';
import type { Service } from '../service.ts';
import { addVersion, createDocument, getLatestVersion } from '../state/documents.ts';
import type { DocumentRecord } from '../state/records.ts';
import { findRecord, listNewestFirst } from '../state/state.ts';
import { createDownloadUrl } from '../storage/addresses.ts';
import { omitContentFields, storeBase64 } from '../storage/receive-base64.ts';
import { consumeUpload, startUploadSession } from '../storage/upload-sessions.ts';
import type { HandlerCall, ReceivedFile } from './handler.ts';
import { createListResult, type ListResult, type ResourceView } from './view.ts';

export function viewDocument(document: DocumentRecord): ResourceView {
  const version = getLatestVersion(document);
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

function list({ service }: HandlerCall): ListResult {
  return createListResult(listNewestFirst(service.state.documents), viewDocument);
}

export const UploadForm = z.object({ name: z.string().min(1).optional() });

async function create({ service, body, file }: HandlerCall): Promise<ResourceView> {
  const received = file ?? (await storeBase64(service, body));
  const { known, custom } = parseBody(UploadForm, file ? body : omitContentFields(body));
  const document = await createDocument(service, { received, name: known.name ?? null, custom });
  return viewDocument(document);
}

function get({ service, id }: HandlerCall): ResourceView {
  const document = findRecord(service.state.documents, id, 'document');
  const address = createDownloadUrl(service, {
    version: getLatestVersion(document),
    name: document.file_name,
  });
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

function pages({ service, id }: HandlerCall): ResourceView[] {
  const document = findRecord(service.state.documents, id, 'document');
  return getLatestVersion(document).pages.map((size, index) => ({
    object: 'page',
    page: index + 1,
    width: size.width,
    height: size.height,
    thumbnail_url: `${service.origin}/thumbnails/${encodeURIComponent(document.id)}/${index + 1}.svg`,
  }));
}

function startUpload({ service, body }: HandlerCall): ResourceView {
  return startUploadSession(service, parseUploadStart(service, body));
}

const FILE_NAMES = ['filename', 'fileName', 'file_name', 'name'] as const;
const MEDIA_TYPES = ['content_type', 'contentType', 'mime_type', 'mimeType'] as const;

/** §4: the body is not shown, so the profile says which names it demands; any other usual name is understood too. */
function parseUploadStart(service: Service, body: unknown) {
  const { custom } = parseBody(z.object({}), body);
  const template = service.serviceProfile?.facts.uploadStart;
  if (template) {
    const { takes: acceptedSchema } = service.serviceProfile?.operations['documents.startUpload'] ?? {};
    // In every body that was taken: the others were left out once.
    const { found, missing } = parseByTemplate(template, custom, acceptedSchema?.required);
    if (missing.length > 0) throw createFieldRejection(missing);
    return { fileName: textOrNull(found.get('name')), contentType: textOrNull(found.get('type')) };
  }
  const requiredFields = service.profile.uploadBody === 'none' ? [] : service.profile.uploadBody.split('+');
  const fieldErrors = requiredFields.flatMap((field): FieldError[] => {
    const value = custom[field];
    if (value === undefined) return [{ field, message: 'is required' }];
    const expectedType = field.endsWith('size') ? 'number' : 'string';
    return typeof value === expectedType ? [] : [{ field, message: `must be a ${expectedType}` }];
  });
  if (fieldErrors.length > 0) throw createFieldRejection(fieldErrors);
  const findText = (names: readonly string[]) => {
    const found = names.map((name) => custom[name]).find((value) => typeof value === 'string');
    return typeof found === 'string' && found !== '' ? found : null;
  };
  return { fileName: findText(FILE_NAMES), contentType: findText(MEDIA_TYPES) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export const FinalizeBody = z.object({
  storageKey: z.string().min(1),
  token: z.string().min(1),
  documentId: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
});

async function finalize({ service, body }: HandlerCall): Promise<ResourceView> {
  const { known, custom } = parseBody(FinalizeBody, body);
  // Looked up before the upload is spent: a wrong documentId leaves it there for another try.
  const existing =
    known.documentId === undefined ? null : findRecord(service.state.documents, known.documentId, 'document');
  const received: ReceivedFile = consumeUpload(service, known);
  if (existing) return viewDocument(await addVersion(service, { document: existing, received }));
  const document = await createDocument(service, { received, name: known.name ?? null, custom });
  return viewDocument(document);
}

export const documents = { list, create, get, pages, startUpload, finalizeUpload: finalize };
