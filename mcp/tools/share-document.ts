import { z } from 'zod';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { parsePublicUrl } from '../files/public-address.ts';
import { describeFailure } from '../result/describe-failure.ts';
import { flag, object, text, webUrl, withFields } from '../tool/arguments.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { ChatFile, readChatFile } from './chat-file.ts';
import { checkOperation, textOutput } from './define-tools.ts';
import { quoteName } from './describe-object.ts';
import { formatNewLink, getNewLinkAction, toCanonicalCreateLink, toCreatedLink } from './links.ts';
import { describeLocalFile } from './new-version-action.ts';
import { uploadWithProgress } from './upload-with-progress.ts';

/** Link settings of a call, as one body. */
function readSettings({ document_id: _, path: __, url: ___, file: ____, ...settings }: JsonObject): JsonObject {
  return toRequestBody({ email_required: true, ...settings });
}

const shareFileOrDocument = defineTool({
  name: 'share_document',
  title: 'Share document',
  description:
    'Shares a document by link in one call. Give one of document_id, path and url; files are uploaded first.',
  operations: ['links.create', 'documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
  idSource: 'list_documents',
  annotations: { openWorldHint: true },
  inputSchema: z.strictObject({
    document_id: text('Document ID.').optional(),
    path: text('Local file.').optional(),
    url: webUrl('Public https URL of a file.').optional(),
    file: ChatFile.optional(),
    name: text('Name of link and new document.').optional(),
    email_required: flag('Ask visitors for their email. Default: true.').optional(),
    fields: object('More link settings: see create_link.').optional(),
  }),
  outputSchema: textOutput('id', 'url'),
  check({ document_id, path, url, file, ...settings }, context) {
    if ([document_id, path, url, file].filter((source) => source !== undefined).length !== 1)
      throw new ToolError('invalid_arguments', 'Give exactly one of document_id, path, url or file.');
    const input = withFields({ email_required: true, ...settings });
    checkOperation(context, 'links.create', { ...input, document_id: document_id ?? 'new' });
  },
  confirmation: async (args, { files }) => {
    const { document_id, path, file } = args;
    const { url = args.url, name: fileName } = readChatFile(file);
    if (url !== undefined) parsePublicUrl(url);
    const settings = readSettings(args);
    if (document_id !== undefined) return getNewLinkAction(['documents', document_id], settings);
    // The same file has several paths.
    const source = path === undefined ? url : (await files.resolveExisting(path)).path;
    const { effects, isRoutine } = getNewLinkAction(['documents', String(source)], settings);
    return {
      effects,
      isRoutine: isRoutine === true,
      describe: async (context) => ({
        ...(path === undefined ? {} : { about: { upload: await describeLocalFile(context, path) } }),
        headline: formatNewLink(`Upload ${quoteName(path ?? fileName ?? url)} and create a link to it`, settings),
      }),
    };
  },
  // The URL of a file from the chat is another one each time.
  canonicalCall: ({ document_id, path, url, file, ...args }) =>
    toCanonicalCreateLink({
      ...(document_id === undefined ? { path, url: file?.file_id ?? file?.download_url ?? url } : { document_id }),
      ...readSettings(args),
    }),
  async handler(context, { document_id, path, url, file, ...settings }) {
    const { name } = settings;
    const source = { path, url, ...readChatFile(file), ...(name === undefined ? {} : { name }) };
    const uploaded: JsonObject = document_id === undefined ? await uploadWithProgress(context, source) : {};
    const id = document_id ?? uploaded['id'];
    if (typeof id !== 'string')
      throw new ToolError(
        'partly_done',
        'The file was uploaded, but the service returned no document ID. Find the document with list_documents, then call create_link.',
      );
    const input = { ...withFields({ email_required: true, ...settings }), document_id: id };
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
  inputSchema: shareFileOrDocument.inputSchema.omit({ path: true, url: true, file: true }),
};

const shareUrlOrDocument: Tool = {
  ...shareFileOrDocument,
  description:
    'Shares a document by link in one call. Give one of document_id, url and file; a file is uploaded first.',
  inputSchema: shareFileOrDocument.inputSchema.omit({ path: true }),
};

export const shareDocument: Tool = {
  ...shareFileOrDocument,
  inputSchema: shareFileOrDocument.inputSchema.omit({ file: true }),
  fallbacks: [
    { without: 'upload_document', tool: shareExistingDocument },
    { without: 'disk', tool: shareUrlOrDocument },
  ],
};
