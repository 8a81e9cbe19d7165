import { z } from 'zod';
import { withExtension } from '../../src/media-type.ts';
import { parseWebUrl } from '../../src/web-url.ts';
import type { UploadArguments } from '../files/upload-source.ts';
import { text, webUrl } from '../tool/arguments.ts';

/**
 * A file that a person attached in the chat: hosts such as ChatGPT fill in this argument, because the tool lists it under
 * `openai/fileParams`. Its URL is fetched like any other.
 */
export const ChatFile = z
  .looseObject({
    download_url: webUrl('Its URL.'),
    file_id: text('Its ID.').optional(),
    file_name: text('Its name.').optional(),
    mime_type: text('Its type.').optional(),
  })
  .describe('File from the chat; the host fills it in.');

/** Parameters that sign a URL, at OpenAI, Azure, Amazon and Google. */
const SIGNATURE_PARAMETER = /^(?:x-(?:amz|goog)-.+|s[eptv]|sk(?:oid|tid|[tesv])|sig|signature|expires|ts|rscc)$/i;

/** Arguments without the signatures of files from the chat: their URLs last for minutes, so each call has new ones. */
export function withoutSignatures<Args extends { file?: unknown; files?: readonly unknown[] | undefined }>(args: Args) {
  const withoutSignature = (file: unknown) => {
    const { data } = ChatFile.safeParse(file);
    const url = data?.file_id === undefined ? undefined : parseWebUrl(data.download_url).url;
    if (!url) return file;
    for (const name of [...url.searchParams.keys()]) if (SIGNATURE_PARAMETER.test(name)) url.searchParams.delete(name);
    return { ...data, download_url: url.href };
  };
  const { file, files } = args;
  return {
    ...args,
    ...(file === undefined ? {} : { file: withoutSignature(file) }),
    ...(files === undefined ? {} : { files: files.map(withoutSignature) }),
  };
}

type ChatFile = z.infer<typeof ChatFile>;

/** Returns where to fetch the file, its ID, and its name with the ending of its type. */
export function parseChatFile(
  file: ChatFile | undefined,
): Pick<UploadArguments, 'fileId' | 'fileName' | 'name'> & { url?: string } {
  if (!file) return {};
  const { download_url: url, file_id: fileId, file_name: name, mime_type: type } = file;
  const fileName = name === undefined ? undefined : withExtension(name, type ?? '');
  return { url, fileId, ...(fileName !== undefined && { name: fileName, fileName }) };
}
