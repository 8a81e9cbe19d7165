import type { ZObject } from 'zapier-platform-core';
import { z } from 'zod';
import { createFormField } from '../fields/form-fields.ts';
import type { Client } from '../platform/client-core.ts';
import { openFile } from '../platform/open-file.ts';

export const fileField = createFormField('file', 'File', {
  type: 'file',
  required: true,
  helpText:
    'A file from an earlier step, such as a PDF, presentation or video, up to 100 MB. Upload larger files in Docshare.',
});

/** Document that the first part of a step has created. */
export const UploadedDocument = z.object({ id: z.string(), name: z.string() });
export type UploadedDocument = Readonly<z.infer<typeof UploadedDocument>>;

/** Uploads the file of a form for the step's next part. */
export async function uploadFile(
  client: Client,
  platform: ZObject,
  { file, name, nextStep }: { file: unknown; name: string | undefined; nextStep: string },
): Promise<UploadedDocument> {
  const openedFile = await openFile(platform, file, { name });
  const uploaded = await client.upload(openedFile.source, {
    name: name ?? openedFile.name,
    ...(openedFile.type === undefined ? {} : { type: openedFile.type }),
  });
  if (uploaded.id === undefined)
    throw new platform.errors.HaltedError(
      `The file was uploaded, but Docshare did not return its ID, so this step stops. Do not replay it: continue with ${nextStep}.`,
    );
  return { id: uploaded.id, name: uploaded.name };
}
