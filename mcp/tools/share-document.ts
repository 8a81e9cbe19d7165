import { z } from 'zod';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { parsePublicUrl } from '../files/public-address.ts';
import { describeFailure } from '../result/describe-failure.ts';
import { flag, text, webUrl } from '../tool/arguments.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { textOutput } from './define-tools.ts';
import { quoteName } from './describe-object.ts';
import {
  getGatedLinkAction,
  getPublicLinkAction,
  PUBLIC_LINK_WARNING,
  toCanonicalCreateLink,
  toCreatedLink,
} from './links.ts';
import { describeLocalFile } from './new-version-action.ts';
import { uploadWithProgress } from './upload-with-progress.ts';

const shareFileOrDocument = defineTool({
  name: 'share_document',
  title: 'Share document',
  description:
    'Shares a document by link in one call. Give exactly one of document_id, path or url; a file is uploaded first.',
  operations: ['links.create', 'documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
  idSource: 'list_documents',
  annotations: { openWorldHint: true },
  inputSchema: z.strictObject({
    document_id: text('Existing document to share.').optional(),
    path: text('Local file, inside an allowed folder.').optional(),
    url: webUrl('Public https URL to fetch the file from.').optional(),
    email_required: flag(
      'Whether visitors must enter their email. Default: true. If false, the user is asked to confirm.',
    ).optional(),
  }),
  outputSchema: textOutput('id', 'url'),
  confirmation: async ({ document_id, path, url, email_required }, { files }) => {
    if (url !== undefined) parsePublicUrl(url);
    const isPublic = email_required === false;
    if (document_id !== undefined)
      return isPublic
        ? getPublicLinkAction(['documents', document_id])
        : getGatedLinkAction(['documents', document_id]);
    // The same file has several paths.
    const source = path === undefined ? url : (await files.resolveExisting(path)).path;
    return {
      effects: [`links.create ${source} ${isPublic ? 'ungated' : 'gated'}`],
      isRoutine: !isPublic,
      describe: async (context) => ({
        ...(path === undefined ? {} : { about: { upload: await describeLocalFile(context, path) } }),
        headline: `Upload ${quoteName(path ?? url)} and create a link to it${isPublic ? `. ${PUBLIC_LINK_WARNING}` : ' that asks for an email address.'}`,
      }),
    };
  },
  canonicalCall: ({ document_id, path, url, email_required = true }) =>
    toCanonicalCreateLink({ ...(document_id === undefined ? { path, url } : { document_id }), email_required }),
  async handler(context, { document_id, path, url, email_required = true }) {
    if ([document_id, path, url].filter((source) => source !== undefined).length !== 1)
      throw new ToolError('invalid_arguments', 'Give exactly one of document_id, path or url.');
    const uploaded: JsonObject = document_id === undefined ? await uploadWithProgress(context, { path, url }) : {};
    const id = document_id ?? uploaded['id'];
    if (typeof id !== 'string')
      throw new ToolError(
        'partly_done',
        'The file was uploaded, but the service returned no document ID. Find the document with list_documents, then call create_link.',
      );
    const input = { document_id: id, email_required };
    const link = await context.client.links.create(input, context.options).catch((cause: unknown) => {
      if (document_id !== undefined || context.options.signal?.aborted) throw cause;
      const isUnknown = cause instanceof UnknownOutcomeError || cause instanceof UnexpectedResponseError;
      const next = isUnknown
        ? 'it is unknown whether its link was created. Check list_links; call create_link only if there is no link.'
        : 'creating its link failed. Call create_link with this document_id.';
      throw new ToolError(
        isUnknown ? 'unknown_outcome' : 'partly_done',
        `The file was uploaded as document ${id}, but ${next} Do not upload the file again.`,
        { document_id: id, cause: describeFailure(cause, {}) },
      );
    });
    const { sha256, size_bytes } = uploaded;
    return {
      data: {
        done: true,
        ...toCreatedLink(link),
        document_id: id,
        ...(sha256 === undefined ? {} : { sha256, size_bytes }),
      },
      unredactedFields: ['url'],
      trustedFields: ['next'],
    };
  },
});

const shareExistingDocument: Tool = {
  ...shareFileOrDocument,
  description: 'Creates a share link for a document. By default visitors must enter their email.',
  inputSchema: shareFileOrDocument.inputSchema.omit({ path: true, url: true }),
};

const shareUrlOrDocument: Tool = {
  ...shareFileOrDocument,
  description:
    'Shares a document by link in one call. Give either document_id or url; a file from a URL is uploaded first.',
  inputSchema: shareFileOrDocument.inputSchema.omit({ path: true }),
};

export const shareDocument: Tool = {
  ...shareFileOrDocument,
  fallbacks: [
    { without: 'upload_document', tool: shareExistingDocument },
    { without: 'disk', tool: shareUrlOrDocument },
  ],
};
