import { z } from 'zod';
import type { DocumentRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { findRecord, getLatestVersion } from '../state/state.ts';
import { addVersion, createDocument } from '../storage/create-document.ts';
import { createDownloadUrl } from '../storage/storage-urls.ts';
import type { ReceivedFile } from '../storage/stored-file.ts';
import { parseByTemplate } from './body-template.ts';
import type { HandlerCall } from './handler.ts';
import { FILE_NAME_FIELDS, findText, MEDIA_TYPE_FIELDS, omitContentFields, storeBase64 } from './receive-base64.ts';
import { createFieldRejection, parseBody } from './request-body.ts';
import { consumeUpload, startUploadSession } from './upload-sessions.ts';
import { createListResult, type ListResult, type ResourceView } from './view.ts';

export function toDocumentView(document: DocumentRecord): ResourceView {
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
  return createListResult(service.state.documents, toDocumentView);
}

export const UploadForm = z.object({ name: z.string().min(1).optional() });

async function create({ service, body, file }: HandlerCall): Promise<ResourceView> {
  const received = file ?? (await storeBase64(service, body));
  const { known, custom } = parseBody(UploadForm, file ? body : omitContentFields(body));
  const document = await createDocument(service, { received, name: known.name ?? null, custom });
  return toDocumentView(document);
}

function get({ service, id }: HandlerCall): ResourceView {
  const document = findRecord(service.state.documents, id, 'document');
  const address = createDownloadUrl(service, { version: getLatestVersion(document), name: document.file_name });
  return {
    ...toDocumentView(document),
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

/**
 * §4: the request body is unspecified. Fields come from a learned template or the profile; usual names are
 * accepted too.
 */
function parseUploadStart({ serviceProfile, profile }: Service, body: unknown) {
  const { custom } = parseBody(z.object({}), body);
  const template = serviceProfile?.facts.uploadStart ?? getTemplate(profile.uploadBody);
  // Required: the fields that every accepted body had.
  const required =
    serviceProfile?.facts.uploadStart && serviceProfile.operations['documents.startUpload']?.requestBody?.required;
  const { found, missing } = parseByTemplate(template, custom, required);
  if (missing.length > 0) throw createFieldRejection(missing);
  const find = (place: string, names: readonly string[]) => {
    const value = found.get(place);
    return typeof value === 'string' ? value : findText(custom, names);
  };
  return { fileName: find('name', FILE_NAME_FIELDS), contentType: find('type', MEDIA_TYPE_FIELDS) };
}

/** Returns the template of a setting such as `filename+content_type+size`. */
function getTemplate(uploadBody: string): Record<string, string> {
  const names = uploadBody === 'none' ? [] : uploadBody.split('+');
  const getPlace = (name: string) => (/size$/i.test(name) ? '{size}' : /type$/i.test(name) ? '{type}' : '{name}');
  return Object.fromEntries(names.map((name) => [name, getPlace(name)]));
}

export const FinalizeBody = z.object({
  storageKey: z.string().min(1),
  token: z.string().min(1),
  documentId: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
});

async function finalize({ service, body }: HandlerCall): Promise<ResourceView> {
  const { known, custom } = parseBody(FinalizeBody, body);
  // Checked before the upload is consumed, so that a wrong documentId can be corrected.
  const existing =
    known.documentId === undefined ? null : findRecord(service.state.documents, known.documentId, 'document');
  const received: ReceivedFile = consumeUpload(service, known);
  if (existing) return toDocumentView(await addVersion(service, { document: existing, received }));
  const document = await createDocument(service, { received, name: known.name ?? null, custom });
  return toDocumentView(document);
}

export const documents = { list, create, get, pages, startUpload, finalizeUpload: finalize };
