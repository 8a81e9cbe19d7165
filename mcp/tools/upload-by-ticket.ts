import { z } from 'zod';
import { MAX_CONTENT_BYTES } from '../files/upload-source.ts';
import { text } from '../tool/arguments.ts';
import type { UploadStatus } from '../tool/file-transfer.ts';
import { defineTool, type ToolContext, type ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { ItemOutput } from './define-tools.ts';
import { uploadWithProgress } from './upload-with-progress.ts';

const Size = z
  .number()
  .refine((value) => Number.isSafeInteger(value) && value > 0, 'a whole number of bytes')
  .meta({ type: 'integer', description: 'Exact bytes of the file, if known' });

/** `upload_document` of a server that shares no disk with anybody: it takes the file at an address of its own. */
export const uploadByTicket = defineTool({
  name: 'upload_document',
  title: 'Upload document',
  description:
    'Uploads a file: url, small content, or neither for an address that takes it. A new document, or a new version.',
  operations: ['documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
  idSource: 'list_documents',
  annotations: { openWorldHint: true },
  inputSchema: z.strictObject({
    url: text('Public address').optional(),
    content: text('Small, base64').optional(),
    name: text('Document name').optional(),
    document_id: text('Gets a new version').optional(),
    size_bytes: Size.optional(),
    hand_over: text('From the answer: how it went').optional(),
  }),
  outputSchema: ItemOutput,
  async handler(
    context,
    { document_id: documentId, url, content, name, size_bytes: sizeBytes, hand_over: uploadTicket },
  ) {
    const sources = [url, content, uploadTicket].filter((source) => source !== undefined);
    if (sources.length > 1)
      throw new ToolError('invalid_arguments', 'Give one of url, content and hand_over, or none of them.');
    if ((content?.length ?? 0) * 0.75 > MAX_CONTENT_BYTES + 3)
      throw new ToolError(
        'too_large',
        `content has more than ${MAX_CONTENT_BYTES} bytes. Leave it out: the answer is an address that takes the file.`,
      );
    if (url !== undefined || content !== undefined)
      return {
        data: { done: true, ...(await uploadWithProgress(context, { url, content, name, documentId })) },
      };
    const status = await requireFileTransfer(context).upload(
      { uploadTicket, name, documentId, sizeBytes },
      { signal: context.options.signal, progress: context.progress },
    );
    return toTicketResult(status);
  },
});

function requireFileTransfer({ fileTransfer: uploadTicket }: ToolContext) {
  if (!uploadTicket) throw new ToolError('invalid_arguments', 'Give one of url and content.');
  return uploadTicket;
}

function toTicketResult(status: UploadStatus): ToolResult {
  const { id: hand_over } = status;
  const nextStep = 'call again with hand_over to learn how it went';
  switch (status.kind) {
    case 'done':
      return { data: { done: true, ...status.result, hand_over }, trustedFields: ['hand_over'] };
    case 'unknown':
      return {
        data: { done: false, hand_over, unknown_outcome: true, next: status.message },
        trustedFields: ['next'],
      };
    case 'running': {
      const { sentBytes: sent_bytes, totalBytes: size_bytes } = status;
      const next = `The file is on its way: ${nextStep}.`;
      return {
        data: { done: false, hand_over, running: true, sent_bytes, size_bytes, next },
        trustedFields: ['next'],
      };
    }
    case 'waiting': {
      const { url: upload_url, secondsLeft: seconds_left, limitBytes: limit_bytes, failure } = status;
      const problem = failure
        ? 'What came was not taken; the address takes another try.'
        : 'No file has come yet.';
      const next = `${problem} Give the person upload_url, a page that takes the file, or PUT its bytes there (with Content-Length). Then ${nextStep}.`;
      return {
        data: {
          done: false,
          hand_over,
          upload_url,
          seconds_left,
          limit_bytes,
          ...(failure ? { failure } : {}),
          next,
        },
        unredactedFields: ['upload_url'],
        trustedFields: ['upload_url', 'hand_over', 'next', 'failure.message'],
      };
    }
  }
}
