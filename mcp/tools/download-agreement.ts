import { basename } from 'node:path';
import { z } from 'zod';
import { sanitizeFileName } from '../../src/download/sanitize-file-name.ts';
import type { Download } from '../../src/index.ts';
import { isDocumentName } from '../files/document-name.ts';
import { saveFile } from '../files/save-file.ts';
import { text } from '../tool/arguments.ts';
import { defineTool, type Tool, type ToolContext, type ToolResult } from '../tool/tool.ts';
import { createTextOutputSchema } from './define-tools.ts';

const Id = text('Agreement ID, from list_agreements.');

/** Not read-only, because `path` writes a file. It never overwrites one. */
const downloadToPath = defineTool({
  name: 'download_agreement',
  title: 'Download agreement',
  description:
    "Downloads an agreement's file (the signed version, once signed) to path. Without path, returns a short-lived URL.",
  operations: ['agreements.document'],
  idSource: 'list_agreements',
  annotations: { readOnlyHint: false, idempotentHint: false },
  inputSchema: z.strictObject({
    id: Id,
    path: text('New file or folder to save to, inside an allowed folder. Missing folders are created.').optional(),
  }),
  outputSchema: createTextOutputSchema('id', 'url', 'path', 'sha256'),
  async handler(context, { id, path }) {
    const { client, options, files, fileTransfer, mode } = context;
    // Checked first, so that an invalid path costs no request.
    if (path !== undefined) await files.resolveNew(path, getDefaultFileName(id));
    const download = await client.agreements.document({ id }, options);
    if (path !== undefined) return saveToPath(path, { id, download, context });
    if (!fileTransfer) return toUrlResult(download, id, { canSave: !mode.readOnly });
    // The service's own URL never leaves a hosted server.
    if (download.url === undefined) await discardBody(download);
    const metadata = describeDownload(download, id);
    const { url, secondsLeft: seconds_left } = await fileTransfer.download({ id, name: metadata.name });
    return { data: { ...metadata, url, seconds_left }, unredactedFields: ['url'], trustedFields: ['url'] };
  },
});

/** Returns the tool of a server that saves no files. */
function withoutPath(description: string): Tool {
  const variant = {
    description,
    inputSchema: z.strictObject({ id: Id }),
    outputSchema: createTextOutputSchema('id', 'url'),
  };
  return defineTool({ ...downloadToPath, ...variant, annotations: {} });
}

export const downloadAgreement: Tool = {
  ...downloadToPath,
  fallbacks: [
    {
      without: 'disk',
      tool: withoutPath("Returns a one-time URL of an agreement's file (the signed version, once signed)."),
    },
    {
      without: 'writes',
      tool: withoutPath("Returns a short-lived URL of an agreement's file (the signed version, once signed)."),
    },
  ],
};

async function toUrlResult(download: Download, id: string, { canSave }: { canSave: boolean }): Promise<ToolResult> {
  const metadata = describeDownload(download, id);
  if (download.url !== undefined)
    return { data: { ...metadata, url: download.url }, unredactedFields: ['url'], trustedFields: ['url'] };
  const body = await discardBody(download);
  const size = body.sizeBytes === undefined ? {} : { size_bytes: body.sizeBytes };
  const next = canSave
    ? 'The service provides no URL for this file. Call again with path to save it.'
    : 'The service provides no URL for this file, and this read-only server cannot save it.';
  return { data: { ...metadata, ...size, next }, trustedFields: ['next'] };
}

async function discardBody(download: Download) {
  const body = await download.open();
  await body.bytes[Symbol.asyncIterator]().return?.();
  return body;
}

async function saveToPath(
  path: string,
  { id, download, context }: { id: string; download: Download; context: ToolContext },
): Promise<ToolResult> {
  const { options, progress, files } = context;
  const metadata = describeDownload(download, id);
  const target = await files.resolveNew(path, isDocumentName(metadata.name) ? metadata.name : getDefaultFileName(id));
  const body = await download.open(options.signal ? { signal: options.signal } : {});
  const saved = await saveFile(target, body.bytes, {
    signal: options.signal,
    verifyOpened: files.verifyOpened,
    onBytes: (bytes) => progress.step(bytes, body.sizeBytes, `saved ${bytes} bytes`),
  });
  // Questions about the file name it as the service did.
  const file = basename(target);
  if (file !== metadata.name) await context.memory.set(`file ${saved.sha256} ${file}`, metadata.name.slice(0, 255));
  return {
    data: { ...metadata, type: body.type, path: target, size_bytes: saved.sizeBytes, sha256: saved.sha256 },
    trustedFields: ['path'],
  };
}

function describeDownload({ name, type }: Download, id: string) {
  return { id, name: name ?? getDefaultFileName(id), ...(type === undefined ? {} : { type }) };
}

function getDefaultFileName(id: string): string {
  return sanitizeFileName(`agreement-${id.replace(/[^\w-]/g, '_')}.pdf`) ?? 'agreement.pdf';
}
