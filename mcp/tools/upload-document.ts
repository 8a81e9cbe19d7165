import { z } from 'zod';
import { parsePublicUrl } from '../files/public-url.ts';
import { MAX_CONTENT_BYTES, requireOneSource } from '../files/upload-source.ts';
import { text, webUrl } from '../tool/arguments.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import type { UploadStatus } from '../tool/file-transfer.ts';
import { formatHeadline } from '../tool/headline.ts';
import { defineTool, type ToolContext, type ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { ChatFile, parseChatFile, withoutSignatures } from './chat-file.ts';
import { ItemOutput } from './define-tools.ts';
import { getNewVersionAction, hashPlaces, type NewVersion } from './new-version-action.ts';
import { ChatFiles, checkFiles, LocalFiles, parseFiles, runForEachFile, splitFiles } from './several-files.ts';
import { uploadWithProgress } from './upload-with-progress.ts';

const Size = z
  .number()
  .refine((value) => Number.isSafeInteger(value) && value > 0, 'must be a whole number of bytes')
  .meta({ type: 'integer', description: 'Exact file size in bytes, if known.' });

const SourceShape = {
  url: webUrl('Public https URL.').optional(),
  content: text('Base64, at most 4 MiB.').optional(),
  name: text('File name with extension.').optional(),
  document_id: text('Document to add a version to.').optional(),
};

const baseTool = {
  name: 'upload_document',
  title: 'Upload document',
  operations: ['documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
  idSource: 'list_documents',
  annotations: { openWorldHint: true },
  outputSchema: ItemOutput,
  splitCall: splitFiles,
} as const;

function getUploadAction(
  { document_id, ...file }: NewVersion & { readonly document_id?: string | undefined },
  context: ToolContext,
) {
  if (file.url !== undefined) parsePublicUrl(file.url);
  return document_id === undefined ? undefined : getNewVersionAction(document_id, context, file);
}

/** For a server that shares no disk with the host: it receives the file at a one-time URL. */
export const uploadByTicket = defineTool({
  ...baseTool,
  description:
    'Uploads a file as a new document, or as a new version of document_id. Without url and content it returns a one-time upload_url.',
  inputSchema: z.strictObject({
    ...SourceShape,
    file: ChatFile.optional(),
    files: ChatFiles.optional(),
    size_bytes: Size.optional(),
    hand_over: text('hand_over from an earlier result, to check that upload.').optional(),
  }),
  check({ files, ...single }) {
    if (files) return checkFiles(files, single);
    const { url, content, file, hand_over } = single;
    const sources = [url, content, file, hand_over].filter((source) => source !== undefined);
    if (sources.length > 1)
      throw new ToolError('invalid_arguments', 'Give at most one of url, content, file and hand_over.');
    if ((content?.length ?? 0) * 0.75 > MAX_CONTENT_BYTES + 3)
      throw new ToolError(
        'too_large',
        `content is larger than ${MAX_CONTENT_BYTES} bytes. Call again without it to get an upload_url.`,
      );
  },
  isStatusCheck: ({ hand_over }) => hand_over !== undefined,
  confirmation: ({ document_id, content, file, files, name, url = parseChatFile(file).url }, context) =>
    getUploadAction(
      { url, name, document_id, comesLater: url === undefined && content === undefined && files === undefined },
      context,
    ),
  approvedArguments: withoutSignatures,
  // The URL of a file from the chat is another one each time.
  canonicalCall: ({ file, files, ...args }) => ({
    operation: 'documents.create',
    input: toRequestBody({
      ...args,
      file: file?.file_id ?? file?.download_url,
      files: files && parseFiles(files).map(({ fileId, url, path }) => fileId ?? url ?? path),
    }),
  }),
  async handler(
    context,
    { document_id: documentId, content, file, files, size_bytes: sizeBytes, hand_over: uploadTicket, ...input },
  ) {
    if (files) return runForEachFile(context, parseFiles(files), (source) => uploadNow(context, source));
    const { url, name, fileName, fileId } = { ...parseChatFile(file), ...input };
    const { fileTransfer, approvedBy } = context;
    if (url !== undefined || content !== undefined)
      return uploadNow(context, { url, content, name, fileName, fileId, documentId });
    if (!fileTransfer) throw new ToolError('invalid_arguments', 'Give either url or content.');
    const status = await fileTransfer.upload(
      {
        uploadTicket,
        name,
        documentId,
        sizeBytes,
        approvedBy,
        describe: () => describeReplacement(context, documentId),
      },
      { signal: context.options.signal, progress: context.progress },
    );
    return toTicketResult(status);
  },
});

export const uploadDocument = defineTool({
  ...baseTool,
  description:
    'Uploads a file, or a new version of document_id (the user confirms if shared). Give path, url, content or files.',
  inputSchema: z.strictObject({
    path: text('Local file in an allowed folder.').optional(),
    files: LocalFiles.optional(),
    ...SourceShape,
  }),
  check: ({ files, ...single }) => (files ? checkFiles(files, single) : requireOneSource(single)),
  confirmation: getUploadAction,
  fallbacks: [{ without: 'disk', tool: uploadByTicket }],
  handler: (context, { document_id: documentId, files, ...source }) =>
    files
      ? runForEachFile(context, parseFiles(files), (one) => uploadNow(context, one))
      : uploadNow(context, { ...source, documentId }),
});

/** Question about a new version, which its upload page shows too. */
async function describeReplacement(context: ToolContext, documentId: string | undefined) {
  const action = await getUploadAction({ document_id: documentId, comesLater: true }, context);
  if (!action) return undefined;
  const { headline, about } = await action.describe(context);
  const names = typeof headline === 'string' ? [] : headline.items;
  return { text: formatHeadline(headline), places: hashPlaces(about, names) };
}

/** Uploads a file that need not be waited for. */
async function uploadNow(context: ToolContext, source: Parameters<typeof uploadWithProgress>[1]): Promise<ToolResult> {
  const freeSlot =
    source.url !== undefined && context.fileTransfer ? context.fileTransfer.startFetch() : () => undefined;
  if (!freeSlot)
    throw new ToolError(
      'too_many',
      'Too many files are being transferred. Nothing was sent. Try again when they are done.',
    );
  try {
    return { data: { done: true, ...(await uploadWithProgress(context, source)) } };
  } finally {
    freeSlot();
  }
}

const UPLOAD_FAILED =
  'The last upload failed. If its code is changed, call again without hand_over. Otherwise, upload_url accepts another try.';

function toTicketResult(status: UploadStatus): ToolResult {
  const { id: hand_over } = status;
  const nextStep = 'call again with hand_over to get the result';
  switch (status.kind) {
    case 'done':
      return { data: { done: true, ...status.result, hand_over }, trustedFields: ['hand_over', 'approved_by'] };
    case 'unknown':
      return { data: { done: false, hand_over, unknown_outcome: true, next: status.message }, trustedFields: ['next'] };
    case 'running': {
      const { sentBytes: sent_bytes, totalBytes: size_bytes } = status;
      const next = `The upload is in progress: ${nextStep}.`;
      return { data: { done: false, hand_over, running: true, sent_bytes, size_bytes, next }, trustedFields: ['next'] };
    }
    case 'waiting': {
      const { url: upload_url, secondsLeft: seconds_left, limitBytes: limit_bytes, failure } = status;
      const problem = failure ? UPLOAD_FAILED : 'No file was uploaded yet.';
      const next = `${problem} Give the user upload_url (a page to upload the file), or PUT the bytes there with Content-Length. Then ${nextStep}.`;
      return {
        data: { done: false, hand_over, upload_url, seconds_left, limit_bytes, ...(failure ? { failure } : {}), next },
        unredactedFields: ['upload_url'],
        trustedFields: ['upload_url', 'hand_over', 'next', 'failure.message'],
      };
    }
  }
}
