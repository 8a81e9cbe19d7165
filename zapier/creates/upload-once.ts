import type { ZObject } from 'zapier-platform-core';
import { z } from 'zod';
import type { Client } from '../platform/core.ts';
import { openFile } from '../platform/file-field.ts';

/** A document that the first half of a step has made. */
export const Uploaded = z.object({ id: z.string(), name: z.string() });
export type Uploaded = Readonly<z.infer<typeof Uploaded>>;

/** Uploads the file of a form; a step that goes on with the document needs its id. */
export async function uploadFile(
  client: Client,
  platform: ZObject,
  { file, name, next }: { file: unknown; name: string | undefined; next: string },
): Promise<Uploaded> {
  const opened = await openFile(platform, file);
  const uploaded = await client.upload(opened.source, {
    name: name ?? opened.name,
    ...(opened.type === undefined ? {} : { type: opened.type }),
  });
  if (uploaded.id === undefined)
    throw new platform.errors.HaltedError(
      `The file was uploaded, but Docshare gave no id for it, so this step stops here. Do not replay it: go on in Zapier with ${next}.`,
    );
  return { id: uploaded.id, name: uploaded.name };
}
