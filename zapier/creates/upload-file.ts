import type { ZObject } from 'zapier-platform-core';
import { z as zod } from 'zod';
import { createFormField } from '../fields/form-fields.ts';
import { getTitle } from '../platform/client-core.ts';
import { openFile } from '../platform/open-file.ts';
import type { ResumeStore } from '../platform/resume.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { isRejection, mayBeUnknownId, toPartialFailureError, toZapierError } from '../platform/zapier-errors.ts';
import { document } from '../records/kinds.ts';
import { tryFindById } from '../records/read-list.ts';

export const fileField = createFormField('file', 'File', {
  type: 'file',
  required: true,
  helpText:
    'A file from an earlier step, such as a PDF, presentation or video, up to 100 MB. Upload larger files in Docshare.',
});

/** Document that the first part of a step has created. */
export const UploadedDocument = zod.object({ id: zod.string(), name: zod.string() });
export type UploadedDocument = Readonly<zod.infer<typeof UploadedDocument>>;

/** Uploads the file of a form for the step's next part. */
export async function uploadFile(
  { client, z }: ClientStep,
  { file, name, nextStep }: { file: unknown; name: string | undefined; nextStep: string },
): Promise<UploadedDocument> {
  const openedFile = await openFile(z, file, { name });
  const type = openedFile.type === undefined ? {} : { type: openedFile.type };
  const upload = client.upload(openedFile.source, { name: name ?? openedFile.name, ...type });
  const uploaded = await upload.catch((error: unknown) => {
    const mayExist = !isRejection(error) && toZapierError(z, error) instanceof z.errors.HaltedError;
    if (!mayExist) throw error;
    // Only the first part of the step may be complete.
    throw new z.errors.HaltedError(
      `Docshare did not confirm the upload, so this step did nothing else. If the document is in Docshare, continue with ${nextStep}. Otherwise replay this run.`,
    );
  });
  if (uploaded.id === undefined)
    throw new z.errors.HaltedError(
      `The file was uploaded, but Docshare did not return its ID, so this step stops. Do not replay it: continue with ${nextStep}.`,
    );
  return { id: uploaded.id, name: getTitle(uploaded.document) ?? uploaded.name };
}

/**
 * Error of the request after an upload: what exists, and what to do. `rejected` and `unknown` continue the sentence about
 * the document, for a request that was rejected and for one that may have run. A replay repeats the request, unless there
 * is advice against it.
 */
export function toErrorAfterUpload(
  z: ZObject,
  error: unknown,
  spec: { id: string; isResumable: boolean; rejected: string; unknown: string; adviceIfUnknown?: string },
): unknown {
  const isRejected = isRejection(error);
  const { id, isResumable, adviceIfUnknown: advice } = spec;
  return toPartialFailureError(z, error, {
    completed: `The file was uploaded as document ${id.slice(0, 40)}, ${isRejected ? spec.rejected : spec.unknown}.`,
    isResumable,
    ...(isRejected || advice === undefined ? {} : { halts: true, advice }),
  });
}

/**
 * After a rejection, forgets the document of an earlier run if it was deleted since.
 * @throws Error that says so: a replay uploads the file again.
 */
export async function requireStillUploaded(
  { client, z, resumeStore }: ClientStep & { resumeStore: Pick<ResumeStore<object>, 'clear'> },
  { id, error }: { id: string | undefined; error: unknown },
): Promise<void> {
  if (id === undefined || !mayBeUnknownId(error)) return;
  if ((await tryFindById(document, client, id)).kind !== 'not-found') return;
  await resumeStore.clear();
  throw new z.errors.Error(
    `The document ${id.slice(0, 40)} of an earlier run is no longer in Docshare. Replay this run to upload the file again.`,
    'document_deleted',
  );
}
