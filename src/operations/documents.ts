import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

export const Document = z.looseObject({
  id: z.string().describe('Id of the document; the document_id of a link'),
  name: z.string().optional().describe('Name given at upload'),
});

/** A document in other responses: the API document promises only the `id` of a new one. */
export const PartialDocument = Document.partial();

/** Bytes of a multipart part: a Blob, a File, or any stream with a known size. */
export interface FilePart {
  readonly size: number;
  readonly type: string;
  readonly name?: string;
  /** Streams from the first byte; called again for a retry. */
  stream(): AsyncIterable<Uint8Array>;
}

export function isFilePart(value: unknown): value is FilePart {
  const { size, type, stream } = Object(value) as Partial<FilePart>;
  return typeof size === 'number' && typeof type === 'string' && typeof stream === 'function';
}

/** A started direct upload (§2): the PUT to `uploadUrl` must carry all `headers`. */
export const UploadSession = z.looseObject({
  uploadUrl: z.string().describe('One-time URL for the PUT of the bytes'),
  headers: z.record(z.string(), z.string()).describe('Signed headers; a PUT without one of them is answered with 403'),
  storageKey: z.string().describe('Name of the stored file, for finalizeUpload'),
  token: z.string().describe('Secret of the session, for finalizeUpload'),
});

export const documents = {
  /** Lists documents. */
  list: defineOperation({
    route: 'GET /documents',
    scope: 'documents:read',
    responseKind: 'list',
    title: 'List documents',
    output: PartialDocument,
  }),

  /** Creates a document from a small file, in one multipart request. */
  create: defineOperation({
    route: 'POST /documents',
    scope: 'documents:write',
    effect: 'create',
    bodyEncoding: 'multipart',
    title: 'Create document',
    input: z.looseObject({
      file: z.custom<FilePart>(isFilePart, 'must be a Blob or a File').describe('The bytes of the file'),
      name: z.string().optional().describe('Name of the document'),
    }),
    output: Document,
  }),

  /** Returns one document's metadata. */
  get: defineOperation({
    route: 'GET /documents/{id}',
    scope: 'documents:read',
    title: 'Get document',
    input: z.looseObject({ id: Id.describe('Id of the document') }),
    output: PartialDocument,
  }),

  /** Returns the document's pages. */
  pages: defineOperation({
    route: 'GET /documents/{id}/pages',
    scope: 'documents:read',
    responseKind: 'list',
    title: 'List document pages',
    input: z.looseObject({ id: Id.describe('Id of the document') }),
  }),

  /** Starts a direct-to-storage upload. */
  startUpload: defineOperation({
    route: 'POST /documents/uploads',
    scope: 'documents:write',
    effect: 'create',
    repeatable: true,
    title: 'Start upload',
    output: UploadSession,
  }),

  /** Registers the uploaded file as a document, or as a new version of one. */
  finalizeUpload: defineOperation({
    route: 'POST /documents/uploads/finalize',
    scope: 'documents:write',
    effect: 'create',
    title: 'Finalize upload',
    input: z.looseObject({
      storageKey: z.string().min(1, 'must not be empty').describe('The storageKey of the upload session'),
      token: z.string().min(1, 'must not be empty').describe('The token of the upload session'),
      documentId: Id.optional().describe('Existing document that gets a new version'),
    }),
  }),
};
