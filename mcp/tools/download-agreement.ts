import { z } from 'zod';
import { sanitizeFileName } from '../../src/download/safe-name.ts';
import type { Download } from '../../src/index.ts';
import { text } from '../contract/arguments.ts';
import { defineTool, type ToolContext, type ToolResult } from '../contract/tool.ts';
import { isDocumentName } from '../files/document-kinds.ts';
import { saveFile } from '../files/save-file.ts';
import { textAnswer } from './tool-kinds.ts';

const words = {
  name: 'download_agreement',
  title: 'Download agreement',
  operations: ['agreements.document'],
  idsFrom: 'list_agreements',
} as const;
const Id = text('Agreement id');

/** Of a read-only server: nothing is written. */
const addressOfAgreement = defineTool({
  ...words,
  description: "Gets a short-lived url of an agreement's (signed) file.",
  inputSchema: z.strictObject({ id: Id }),
  outputSchema: textAnswer('id', 'url'),
  async handler({ client, options }, { id }) {
    return addressIn(await client.agreements.document({ id }, options), id, { saves: false });
  },
});

/** Of a hosted server: the service's own address never leaves it. */
const handedOut = defineTool({
  ...words,
  description: "Gets a one-time url of an agreement's (signed) file.",
  inputSchema: z.strictObject({ id: Id }),
  outputSchema: textAnswer('id', 'url'),
  async handler({ client, options, fileTransfer }, { id }) {
    const download = await client.agreements.document({ id }, options);
    if (!fileTransfer) return addressIn(download, id, { saves: false });
    if (download.url === undefined) await leave(download);
    const about = describeDownload(download, id);
    const { url, secondsLeft: seconds_left } = await fileTransfer.download({ id, name: about.name });
    return { data: { ...about, url, seconds_left }, unredactedFields: ['url'], trustedFields: ['url'] };
  },
});

/** Writes where it is given a path, so it is no reading tool; it never replaces a file. */
export const downloadAgreement = defineTool({
  ...words,
  description: "Gets an agreement's (signed) file: saved to path, else a short-lived url.",
  annotations: { readOnlyHint: false, idempotentHint: false },
  inputSchema: z.strictObject({ id: Id, path: text('New file in an allowed folder').optional() }),
  outputSchema: textAnswer('id', 'url', 'path', 'sha256'),
  fallbacks: [
    { without: 'disk', tool: handedOut },
    { without: 'writes', tool: addressOfAgreement },
  ],
  async handler(context, { id, path }) {
    const { client, options, files } = context;
    // Before the service is asked: a refused path should cost no request.
    if (path !== undefined) await files.fresh(path, plainName(id));
    const download = await client.agreements.document({ id }, options);
    return path === undefined
      ? addressIn(download, id, { saves: true })
      : savedTo(path, { id, download, context });
  },
});

async function addressIn(download: Download, id: string, { saves }: { saves: boolean }): Promise<ToolResult> {
  const about = describeDownload(download, id);
  if (download.url !== undefined)
    return { data: { ...about, url: download.url }, unredactedFields: ['url'], trustedFields: ['url'] };
  const body = await leave(download);
  const size = body.sizeBytes === undefined ? {} : { size_bytes: body.sizeBytes };
  const next = saves
    ? 'The service sends the file itself, not an address: call again with path to save it.'
    : 'The service sends the file itself, not an address, and this server is read-only: it saves no file.';
  return { data: { ...about, ...size, next }, trustedFields: ['next'] };
}

/** Bytes that came instead of an address are not read. */
async function leave(download: Download) {
  const body = await download.open();
  await body.bytes[Symbol.asyncIterator]().return?.();
  return body;
}

async function savedTo(
  path: string,
  { id, download, context }: { id: string; download: Download; context: ToolContext },
): Promise<ToolResult> {
  const { options, progress, files } = context;
  const about = describeDownload(download, id);
  const target = await files.fresh(path, isDocumentName(about.name) ? about.name : plainName(id));
  const body = await download.open(options.signal ? { signal: options.signal } : {});
  const saved = await saveFile(target, body.bytes, {
    signal: options.signal,
    opened: files.opened,
    onBytes: (bytes) => progress.step(bytes, body.sizeBytes, `saved ${bytes} bytes`),
  });
  return {
    data: { ...about, type: body.type, path: target, size_bytes: saved.sizeBytes, sha256: saved.sha256 },
    trustedFields: ['path'],
  };
}

function describeDownload({ name, type }: Download, id: string) {
  return { id, name: name ?? plainName(id), ...(type === undefined ? {} : { type }) };
}

function plainName(id: string): string {
  return sanitizeFileName(`agreement-${id.replace(/[^\w-]/g, '_')}.pdf`) ?? 'agreement.pdf';
}
