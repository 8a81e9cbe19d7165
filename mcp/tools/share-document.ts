import { z } from 'zod';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { describeFailure } from '../result/describe-failure.ts';
import { quoteText } from '../result/quote.ts';
import { flag, text } from '../tool/arguments.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { textOutput } from './define-tools.ts';
import { getPublicLinkAction, PUBLIC_LINK_WARNING, toCanonicalCreateLink, toCreatedLink } from './links.ts';
import { uploadWithProgress } from './upload-with-progress.ts';

/** Of a document that is there, or of a file. */
const shareFileOrDocument = defineTool({
  name: 'share_document',
  title: 'Share document',
  description: 'From a file or document to an e-mail-gated link, in one call.',
  operations: ['links.create', 'documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
  idSource: 'list_documents',
  annotations: { openWorldHint: true },
  inputSchema: z.strictObject({
    document_id: text('Document id').optional(),
    path: text('Or a file').optional(),
    url: text('Or an address').optional(),
    email_required: flag('Default true').optional(),
  }),
  outputSchema: textOutput('id', 'url'),
  confirmation: ({ document_id, path, url, email_required }) =>
    email_required !== false
      ? undefined
      : document_id !== undefined
        ? getPublicLinkAction(document_id)
        : {
            summary: `Upload the file ${quoteText(path ?? url)} and create a link to it. ${PUBLIC_LINK_WARNING}`,
          },
  canonicalCall: ({ document_id, path, url, email_required = true }) =>
    toCanonicalCreateLink({
      ...(document_id === undefined ? { path, url } : { document_id }),
      email_required,
    }),
  async handler(context, { document_id, path, url, email_required = true }) {
    if ([document_id, path, url].filter((source) => source !== undefined).length !== 1)
      throw new ToolError('invalid_arguments', 'Give one of document_id, path and url.');
    const uploaded: JsonObject =
      document_id === undefined ? await uploadWithProgress(context, { path, url }) : {};
    const id = document_id ?? uploaded['id'];
    if (typeof id !== 'string')
      throw new ToolError(
        'partly_done',
        'The file was uploaded, but the service did not say its id: find it with list_documents, then call create_link.',
      );
    const input = { document_id: id, email_required };
    const link = await context.client.links.create(input, context.options).catch((cause: unknown) => {
      if (document_id !== undefined || context.options.signal?.aborted) throw cause;
      if (cause instanceof UnknownOutcomeError || cause instanceof UnexpectedResponseError)
        throw new ToolError(
          'unknown_outcome',
          `The file was uploaded as document ${id}, and the service may have made its link: look with list_links. Call create_link for it only if there is none, and do not upload again.`,
          { document_id: id, cause: describeFailure(cause, {}) },
        );
      throw new ToolError(
        'partly_done',
        `The file was uploaded as document ${id}, but it has no link: call create_link for it, do not upload again.`,
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

/** Where files can't be uploaded, none can be shared in one step either. */
const shareExistingDocument: Tool = {
  ...shareFileOrDocument,
  description: 'From a document to a link that asks visitors for their e-mail.',
  inputSchema: shareFileOrDocument.inputSchema.omit({ path: true, url: true }),
};

/** Where no disk is shared, a file comes from an address. */
const shareUrlOrDocument: Tool = {
  ...shareFileOrDocument,
  description: 'From an address or document to an e-mail-gated link, in one call.',
  inputSchema: shareFileOrDocument.inputSchema.omit({ path: true }),
};

/** From a file or a document to a gated link, in one call. */
export const shareDocument: Tool = {
  ...shareFileOrDocument,
  fallbacks: [
    { without: 'upload_document', tool: shareExistingDocument },
    { without: 'disk', tool: shareUrlOrDocument },
  ],
};
