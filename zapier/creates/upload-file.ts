import type { ZObject } from 'zapier-platform-core';
import { z } from 'zod';
import type { Client } from '../platform/client-core.ts';
import { openFile } from '../platform/open-file.ts';

/** A document that the first half of a step has made. */
export const UploadedDocument = z.object({ id: z.string(), name: z.string() });
export type UploadedDocument = Readonly<z.infer<typeof UploadedDocument>>;

/** Uploads the file of a form; a step that goes on with the document needs its id. */
export async function uploadFile(
  client: Client,
  platform: ZObject,
  { file, name, nextStep }: { file: unknown; name: string | undefined; nextStep: string },
): Promise<UploadedDocument> {
  const openedFile = await openFile(platform, file);
  const uploaded = await client.upload(openedFile.source, {
    name: name ?? openedFile.name,
    ...(openedFile.type === undefined ? {} : { type: openedFile.type }),
  });
  if (uploaded.id === undefined)
    throw new platform.errors.HaltedError(
      `The file was uploaded, but Docshare gave no id for it, so this step stops here. Do not replay it: go on in Zapier with ${nextStep}.`,
    );
  return { id: uploaded.id, name: uploaded.name };
}
