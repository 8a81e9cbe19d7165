import { z } from 'zod';
import type { JsonObject } from '../../src/records/fields.ts';
import { isOutcomeUnknown } from '../call/idempotency.ts';
import { parsePublicUrl } from '../files/public-url.ts';
import type { UploadArguments } from '../files/upload-source.ts';
import { describeFailure } from '../result/describe-failure.ts';
import { flag, mergeFields, object, text, webUrl } from '../tool/arguments.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import { formatShortList } from '../tool/headline.ts';
import { defineTool, type PendingAction, type Tool, type ToolContext, type ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { ChatFile, parseChatFile, withoutSignatures } from './chat-file.ts';
import { checkOperation, ItemOutput } from './define-tools.ts';
import { quoteName } from './describe-object.ts';
import {
  formatNewLinkHeadline,
  getNewLinkAction,
  getNewLinkEffects,
  parseLinkTarget,
  toCreatedLink,
  toCreateLinkCall,
} from './links.ts';
import { describeFile } from './new-version-action.ts';
import {
  ChatFiles,
  checkFiles,
  LocalFiles,
  type NamedSource,
  parseFiles,
  runForEachFile,
  splitFiles,
} from './several-files.ts';
import { getSourceIds, uploadWithProgress } from './upload-with-progress.ts';

/** Link settings of a call, as one body. */
function readSettings(args: JsonObject): JsonObject {
  const settings = Object.entries(args).filter(([name]) => !/^(?:document_id|path|url|files?)$/.test(name));
  return toRequestBody({ email_required: true, ...Object.fromEntries(settings) });
}

const shareFileOrDocument = defineTool({
  name: 'share_document',
  title: 'Share document',
  description: 'Shares documents or new files by link. Give document_id, path, url or files.',
  operations: ['links.create', 'documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
  idSource: 'list_documents',
  annotations: { openWorldHint: true },
  inputSchema: z.strictObject({
    document_id: text('Document ID.').optional(),
    path: text('Local file.').optional(),
    url: webUrl('Public https URL.').optional(),
    file: ChatFile.optional(),
    files: LocalFiles.optional(),
    name: text('Name of link and document.').optional(),
    email_required: flag('Ask for email (default: true).').optional(),
    fields: object('Settings, as in create_link.').optional(),
  }),
  outputSchema: ItemOutput,
  check({ document_id, path, url, file, files, ...settings }, context) {
    if (files) checkFiles(files, { document_id, path, url, file, name: settings.name });
    else if ([document_id, path, url, file].filter((source) => source !== undefined).length !== 1)
      throw new ToolError('invalid_arguments', 'Give either document_id or exactly one file.');
    const input = { email_required: true, ...settings, document_id: document_id ?? 'new' };
    parseLinkTarget(input);
    checkOperation(context, 'links.create', mergeFields(input));
  },
  confirmation: async (args, context) => {
    const { document_id, path, file } = args;
    if (document_id === undefined) context.keyStatus.requireScope('documents:write');
    if (args.files) return getSeveralLinksAction(parseFiles(args.files), readSettings(args), context);
    const { url = args.url, fileName, fileId } = parseChatFile(file);
    if (url !== undefined) parsePublicUrl(url);
    const settings = readSettings(args);
    if (document_id !== undefined) return getNewLinkAction(context, ['documents', document_id], settings);
    const title = args.name === undefined ? '' : ` as ${quoteName(args.name, 40)}`;
    return {
      ...getNewLinkEffects(await getSourceIds(context, { path, url, fileId }), settings),
      async describe(context) {
        const { name, upload } = await describeFile(context, {
          path,
          url: fileName === undefined ? url : undefined,
          name: fileName,
        });
        return {
          ...(upload === undefined ? {} : { about: { upload } }),
          headline: formatNewLinkHeadline(`Upload ${name}${title} and create a link to it`, settings),
        };
      },
    };
  },
  approvedArguments: withoutSignatures,
  splitCall: splitFiles,
  // The URL of a file from the chat is another one each time.
  canonicalCall: ({ document_id, path, url, file, files, ...args }) =>
    toCreateLinkCall({
      ...(files ? { files: parseFiles(files).map((one) => one.file) } : {}),
      ...(document_id === undefined ? { path, url: file?.file_id ?? file?.download_url ?? url } : { document_id }),
      ...readSettings(args),
    }),
  handler(context, { document_id, path, url, file, files, ...settings }) {
    if (files) return runForEachFile(context, parseFiles(files), (source) => share(context, { source, settings }));
    const { name } = settings;
    const source = { path, url, ...parseChatFile(file), ...(name === undefined ? {} : { name }) };
    return share(context, document_id === undefined ? { source, settings } : { document_id, settings });
  },
});

/** Uploads the file, if one is given, and creates a link to it. */
async function share(
  context: ToolContext,
  { document_id, source, settings }: { document_id?: string; source?: UploadArguments; settings: JsonObject },
): Promise<ToolResult> {
  const uploaded: JsonObject = source ? await uploadWithProgress(context, source) : {};
  const id = document_id ?? uploaded['id'];
  if (typeof id !== 'string')
    throw new ToolError(
      'partly_done',
      'The file was uploaded, but the service returned no document ID. Find the document with list_documents, then call create_link.',
    );
  const input = { ...mergeFields({ email_required: true, ...settings }), document_id: id };
  const link = await context.client.links.create(input, context.options).catch((cause: unknown) => {
    if (document_id !== undefined || context.options.signal?.aborted) throw cause;
    const isUnknown = isOutcomeUnknown(cause);
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
}

/** Confirms the links of several files at once, however they are gated. */
async function getSeveralLinksAction(
  sources: readonly NamedSource[],
  settings: JsonObject,
  context: ToolContext,
): Promise<PendingAction> {
  const ids = await Promise.all(sources.map((source) => getSourceIds(context, source)));
  return {
    ...getNewLinkEffects(ids.flat(), settings),
    isRoutine: false,
    describe: async (context) => {
      const described = await Promise.all(
        sources.map(({ path, file }) =>
          describeFile(context, path === undefined ? { [/^https?:/i.test(file) ? 'url' : 'name']: file } : { path }),
        ),
      );
      const uploads = described.flatMap(({ upload }) => upload ?? []);
      const link = formatNewLinkHeadline(` and create a link to ${sources.length === 1 ? 'it' : 'each'}`, settings);
      const after = typeof link === 'string' ? link : `${link.before}${formatShortList(link.items, link.noun)}.`;
      return {
        headline: { before: 'Upload ', items: described.map(({ name }) => name), noun: 'files', after },
        ...(uploads.length > 0 ? { about: { uploads } } : {}),
      };
    },
  };
}

const shareExistingDocument: Tool = {
  ...shareFileOrDocument,
  description: 'Creates a share link for a document. By default visitors must enter their email.',
  inputSchema: shareFileOrDocument.inputSchema.omit({ path: true, url: true, file: true, files: true }),
};

const shareUrlOrDocument: Tool = {
  ...shareFileOrDocument,
  description: 'Shares documents or new files by link. Give document_id, url, file or files.',
  inputSchema: shareFileOrDocument.inputSchema.omit({ path: true }).extend({ files: ChatFiles.optional() }),
};

export const shareDocument: Tool = {
  ...shareFileOrDocument,
  inputSchema: shareFileOrDocument.inputSchema.omit({ file: true }),
  fallbacks: [
    { without: 'upload_document', tool: shareExistingDocument },
    { without: 'disk', tool: shareUrlOrDocument },
  ],
};
