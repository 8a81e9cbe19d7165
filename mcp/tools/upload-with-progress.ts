import type { UploadResult } from '../../src/index.ts';
import { getMediaTypeByName } from '../../src/media-type.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { getNote, markAsLibraryResult } from '../../src/response/note.ts';
import { hashCanonicalJson } from '../canonical-json.ts';
import { openUploadSource, type UploadArguments, type UploadFile } from '../files/upload-source.ts';
import { toFullItem } from '../result/projection.ts';
import type { ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';

type FileNames = Pick<UploadFile, 'name' | 'fileName'> & Pick<ToolContext, 'memory'>;

/** IDs of a file, one of which is the same however a call gives it; none for `content`. */
export async function getSourceIds(
  { files, fingerprint }: ToolContext,
  { path, url, fileId }: UploadArguments,
): Promise<readonly string[]> {
  // The same file has several paths, and a file from the chat has another URL each time.
  const sources = path === undefined ? [url ?? [], fileId ?? []].flat() : [(await files.resolveExisting(path)).path];
  return sources.map((source) => hashCanonicalJson({ fingerprint, source: source.normalize('NFKC').toLowerCase() }));
}

/** Uploads one of `path`, `url` and `content`, reporting progress. Returns size and checksum too. */
export async function uploadWithProgress(
  context: ToolContext,
  { documentId, ...source }: UploadArguments & { readonly documentId?: string | undefined },
): Promise<JsonObject> {
  const { client, options, progress, files, fileTransfer, shownFiles, versionChecks, memory } = context;
  const file = await openUploadSource(source, {
    files,
    signal: options.signal,
    usesDisk: fileTransfer === undefined,
    sha256: shownFiles.get(source.path ?? ''),
  });
  // A title often lacks the ending that says what the file is.
  const type = file.type ?? getMediaTypeByName(file.name) ?? getMediaTypeByName(file.fileName ?? '');
  const isUnchanged = documentId === undefined ? undefined : versionChecks.get(documentId);
  const stop = new AbortController();
  try {
    const sourceIds = await getSourceIds(context, source);
    const result = await client
      .upload(file.source, {
        ...options,
        signal: AbortSignal.any([stop.signal, options.signal ?? []].flat()),
        name: file.name,
        ...(type && { type }),
        ...(file.sizeBytes && { sizeBytes: file.sizeBytes }),
        ...(documentId !== undefined && { documentId }),
        // An upload may take long, and the document may be shared meanwhile.
        onPending: async () => (await isUnchanged?.()) === false && stop.abort(REACHES_MORE),
        onProgress: ({ sentBytes, totalBytes }) =>
          progress.step(sentBytes, totalBytes, `uploaded ${sentBytes} of ${totalBytes} bytes`),
      })
      .catch(async (error: unknown) => {
        throw (options.signal?.aborted ? undefined : await file.findChange?.()) ?? error;
      });
    // A decline to share the file also holds for the document.
    if (result.id !== undefined) await memory.set(`source of ${result.id}`, sourceIds.join(' '));
    return await finishUpload(result, { ...file, documentId, memory, sha256: file.sha256() });
  } finally {
    await file.close();
  }
}

export const REACHES_MORE = new ToolError(
  'changed',
  'The new version was not saved: meanwhile, the name of the document or the places that show it have changed, or could not be read. The next call asks the user about the current state.',
);

/** Result of a finished upload. Remembers a file that is named otherwise than its document, for questions about that. */
export async function finishUpload(
  result: UploadResult,
  { documentId, sha256, memory, name, ...file }: { documentId: string | undefined; sha256: string } & FileNames,
): Promise<JsonObject> {
  const fileName = (await memory.get(`file ${sha256} ${file.fileName}`)) ?? file.fileName ?? '';
  if (result.id !== undefined && (documentId !== undefined || !['', name].includes(fileName)))
    await memory.set(`file of ${result.id}`, fileName.slice(0, 255));
  const uploadResult = {
    ...(result.id && { id: result.id }),
    ...toFullItem(result.document, 'document'),
    ...(documentId !== undefined && { new_version_of: documentId }),
    size_bytes: result.sizeBytes,
    sha256,
    via: result.via,
  };
  return getNote(result.document) === undefined ? uploadResult : markAsLibraryResult(uploadResult);
}
