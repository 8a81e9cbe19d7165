import type { ZObject } from 'zapier-platform-core';
import type { Client } from '../platform/core.ts';
import { openFile } from '../platform/file-field.ts';

/** A document that the first half of a step has made. */
export interface Uploaded {
  readonly id: string;
  readonly name: string;
}

/** Uploads the file of a form; a step that goes on with the document needs its id. */
export async function uploadFile(
  client: Client,
  z: ZObject,
  { file, name, next }: { file: unknown; name: string | undefined; next: string },
): Promise<Uploaded> {
  const opened = await openFile(z, file);
  const uploaded = await client.upload(opened.source, {
    name: name ?? opened.name,
    ...(opened.type === undefined ? {} : { type: opened.type }),
  });
  if (uploaded.id === undefined)
    throw new z.errors.HaltedError(
      `The file was uploaded, but Docshare gave no id for it, so this step stops here. Do not replay it: go on in Zapier with ${next}.`,
    );
  return { id: uploaded.id, name: uploaded.name };
}
