import { z } from 'zod';
import type { JsonObject } from '../../src/records/fields.ts';
import type { UploadArguments } from '../files/upload-source.ts';
import { describeFailure } from '../result/describe-failure.ts';
import type { ToolContext, ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { ChatFile, parseChatFile } from './chat-file.ts';

const MAX_FILES = 20;

/** Several files of one call. Paths and URLs are texts; files from the chat are objects. Both are accepted everywhere. */
const defineFiles = (type: 'string' | 'object', description: string) =>
  z.array(z.unknown()).meta({ items: { type }, description });
export const LocalFiles = defineFiles('string', 'Several paths or URLs.');
export const ChatFiles = defineFiles('object', 'Several files from the chat.');

/** One of several files. */
export interface NamedSource extends UploadArguments {
  /** Names the file in questions and results. */
  readonly file: string;
}

/** @throws ToolError for too many files, or one that is neither a path, a URL nor a file from the chat */
export function parseFiles(files: readonly unknown[]): readonly NamedSource[] {
  if (files.length === 0 || files.length > MAX_FILES)
    throw new ToolError('invalid_arguments', `files: must list 1 to ${MAX_FILES} files.`);
  return files.map((file, index) => {
    if (typeof file === 'string') return isUrl(file) ? { file: withoutQuery(file), url: file } : { file, path: file };
    const parsed = ChatFile.safeParse(file);
    if (!parsed.success)
      throw new ToolError('invalid_arguments', `files[${index}]: must be a path, a URL, or {download_url, file_name}.`);
    const { file_name, file_id, download_url } = parsed.data;
    return { file: file_name ?? file_id ?? withoutQuery(download_url), ...parseChatFile(parsed.data) };
  });
}

/** The arguments of one call per file. */
export function splitFiles({ files = [], ...args }: { readonly files?: readonly unknown[] | undefined }): JsonObject[] {
  return files.map((file) => ({
    ...args,
    ...(typeof file !== 'string' ? { file } : isUrl(file) ? { url: file } : { path: file }),
  }));
}

const isUrl = (file: string) => /^https?:/i.test(file);

/** The query of a presigned URL is a secret. */
const withoutQuery = (url: string) => url.replace(/[?#].*$/, '');

/** @throws ToolError if `files` comes with an argument for one file, or is invalid */
export function checkFiles(files: readonly unknown[], single: Readonly<Record<string, unknown>>): void {
  const other = Object.keys(single).find((name) => single[name] !== undefined);
  if (other !== undefined) throw new ToolError('invalid_arguments', `Give either files or ${other}.`);
  parseFiles(files);
}

/** Runs an action for each file in turn. A file that fails ends none of the others; the result names both kinds. */
export async function runForEachFile(
  { options: { signal }, shutdownStarted }: ToolContext,
  sources: readonly NamedSource[],
  run: (source: UploadArguments) => Promise<ToolResult>,
): Promise<ToolResult> {
  const items: JsonObject[] = [];
  const failed: JsonObject[] = [];
  let unredactedFields: readonly string[] = [];
  const unknownParts: number[] = [];
  for (const [index, { file, ...source }] of sources.entries()) {
    if (signal?.aborted || shutdownStarted?.aborted) {
      failed.push({ file, code: 'cancelled', message: 'The call ended before this file. Nothing was sent.' });
      continue;
    }
    try {
      const { data, unredactedFields: fields = [] } = await run(source);
      items.push({ file, ...data });
      unredactedFields = fields.map((name) => `items.${name}`);
    } catch (error) {
      const failure = signal?.aborted ? ABORTED : describeFailure(error, {});
      failed.push({ file, ...failure });
      if (failure['code'] === 'unknown_outcome') unknownParts.push(index);
    }
  }
  return {
    data: { done: failed.length === 0, items, ...(failed.length > 0 ? { failed, next: NEXT } : {}) },
    unknownParts,
    unredactedFields,
    trustedFields: ['next', 'failed.code', 'failed.message', 'items.next'],
  };
}

const ABORTED = {
  code: 'unknown_outcome',
  message: 'The call ended while this file was sent. Check list_documents before sending it again.',
};
const NEXT = 'Tell the user which files failed and why. To try again, follow the message of each; items are done.';
