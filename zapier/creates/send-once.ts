import type { ZObject } from 'zapier-platform-core';
import { z as zod } from 'zod';
import type { SigningForm } from '../../src/assumptions/index.ts';
import { ApiError, type Client, idOf, type JsonObject } from '../platform/client-core.ts';
import { truncateMessage } from '../platform/error-messages.ts';
import type { ResumeStore } from '../platform/resume.ts';
import { toPartialFailureError } from '../platform/zapier-errors.ts';
import { agreement } from '../records/agreement.ts';
import { tryFindById } from '../records/read-list.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { confirmsAlreadySent, mayMeanAlreadySent } from './already-sent.ts';
import {
  checkSent,
  createDraft,
  findDraftMismatch,
  getAgreementStatus,
  resolveSigningNames,
  sendDraft,
} from './signing-draft.ts';
import { UploadedDocument, uploadFile } from './upload-file.ts';

const Draft = zod.object({
  id: zod.string(),
  /** Its state before it was sent. */
  status: zod.string().optional(),
  /** Whether it has taken subject and message. */
  messageIncluded: zod.boolean(),
});
type Draft = Readonly<zod.infer<typeof Draft>>;

/** What a run has done; `sending`: a send was begun, and its end was not seen. */
export const SigningState = zod.object({
  document: UploadedDocument.optional(),
  draft: Draft.optional(),
  sending: zod.boolean().optional(),
});
export type SigningState = Readonly<zod.infer<typeof SigningState>>;

interface SigningContext {
  readonly client: Client;
  readonly z: ZObject;
  readonly resumeStore: ResumeStore<SigningState>;
  readonly form: SigningForm;
  readonly extraFields: JsonObject;
  readonly file: string | undefined;
}

/**
 * Uploads what is to be signed, makes the draft, looks at its signers and sends it: each once, however often the run is
 * begun anew. What can't be told (whether a send was done) is looked at, and never done a second time.
 */
export async function sendOnce(context: SigningContext): Promise<JsonObject> {
  const state = (await context.resumeStore.load()) ?? {};
  const existingDraft = await findExistingDraft(context.client, state);
  const { document, isResumable } = await ensureDocument(context, {
    document: state.document,
    existingDraft,
  });
  const form = document ? { ...context.form, document: document.id } : context.form;
  const names = await resolveSigningNames(context.client);
  const { draft, response } = existingDraft
    ? { draft: existingDraft, response: undefined }
    : await createNewDraft({ ...context, form }, { document, names, isResumable });
  const { client, z, resumeStore } = context;
  const { id } = draft;
  const toResult = (record: JsonObject) =>
    toWriteResult(agreement, record, {
      name: form.name,
      template_id: form.template,
      document_id: form.document,
      id,
    });
  if (state.sending) {
    const { isSent, record } = await checkSent(client, { id, draftStatus: draft.status });
    if (isSent) return toResult(record);
    if (isSent === undefined) throw new z.errors.HaltedError(truncateMessage(unknownOutcomeMessage(id)));
  }
  const mismatch = await findDraftMismatch(client, { id, form, response });
  if (mismatch !== undefined)
    throw new z.errors.Error(
      truncateMessage(
        `Agreement ${shortId(id)} is a draft and was not sent: Docshare does not show ${mismatch}. Correct the draft in Docshare and replay this run: it sends this draft.`,
      ),
      'signers_not_set',
    );
  const isSaved = await resumeStore.save({ ...(document && { document }), draft, sending: true });
  try {
    return toResult({
      ...response,
      ...(await sendDraft(client, { id, form, names, messageIncluded: draft.messageIncluded })),
    });
  } catch (error) {
    if (mayMeanAlreadySent(error)) {
      const { isSent, record } = await checkSent(client, { id });
      if (isSent && confirmsAlreadySent(error, record, draft.status)) return toResult(record);
    }
    const isRejected = error instanceof ApiError && error.status < 500;
    if (isRejected) await resumeStore.save({ ...(document && { document }), draft });
    throw isRejected
      ? toPartialFailureError(z, error, {
          completed: `Agreement ${shortId(id)} exists, and was not sent.`,
          isResumable: isSaved,
        })
      : toUnknownOutcomeError(z, { id, error, isResumable: isSaved });
  }
}

/** The draft of an earlier run; one that was deleted since is made anew, unless it may have been sent. */
async function findExistingDraft(
  client: Client,
  { draft, sending }: SigningState,
): Promise<Draft | undefined> {
  if (draft === undefined || sending) return draft;
  const found = await tryFindById(agreement, client, draft.id);
  return found.kind === 'not-found' ? undefined : draft;
}

async function ensureDocument(
  { client, z, resumeStore, form, file }: SigningContext,
  {
    document: uploaded,
    existingDraft,
  }: { document: UploadedDocument | undefined; existingDraft: Draft | undefined },
): Promise<{ document: UploadedDocument | undefined; isResumable: boolean }> {
  if (uploaded || existingDraft || file === undefined) return { document: uploaded, isResumable: true };
  const nextStep = 'Send for Signature and the document from its list';
  const document = await uploadFile(client, z, { file, name: form.name, nextStep });
  return { document, isResumable: await resumeStore.save({ document }) };
}

async function createNewDraft(
  { client, z, resumeStore, form, extraFields }: SigningContext,
  {
    document,
    names,
    isResumable,
  }: {
    document: UploadedDocument | undefined;
    names: Awaited<ReturnType<typeof resolveSigningNames>>;
    isResumable: boolean;
  },
): Promise<{ draft: Draft; response: JsonObject }> {
  const { response, messageIncluded } = await createDraft(client, { form, names, extraFields }).catch(
    (error: unknown) => {
      if (document === undefined) throw error;
      const isRejected = error instanceof ApiError && error.status < 500;
      const consequence = isRejected ? '; nothing was sent' : ', and an agreement for it may exist';
      throw toPartialFailureError(z, error, {
        completed: `The file is uploaded as document ${shortId(document.id)}${consequence}.`,
        isResumable,
        // What was made unheard may be made once more, and some services send what is made.
        ...(isRejected ? {} : { advice: 'Look for the agreement in Docshare before you replay this run.' }),
      });
    },
  );
  const id = idOf(response, agreement.resource);
  if (id === undefined)
    throw new z.errors.HaltedError(
      'The agreement was made, but Docshare gave no id for it, so it was not sent. Do not replay this run: find the draft in Docshare, and send it there.',
    );
  const status = getAgreementStatus(response);
  const draft = { id, messageIncluded, ...(status === undefined ? {} : { status }) };
  await resumeStore.save({ ...(document && { document }), draft });
  return { draft, response };
}

function toUnknownOutcomeError(
  z: ZObject,
  { id, error, isResumable }: { id: string; error: unknown; isResumable: boolean },
): unknown {
  if (!isResumable) return new z.errors.HaltedError(truncateMessage(unknownOutcomeMessage(id)));
  return toPartialFailureError(z, error, {
    completed: `Agreement ${shortId(id)} exists and may have been sent.`,
    advice: 'Replay this run: it looks first, and sends nothing twice.',
    isResumable,
  });
}

function unknownOutcomeMessage(id: string): string {
  return `Agreement ${shortId(id)} exists and may have been sent, and Docshare does not show which. So it is not sent again: look at it in Docshare, and do not replay this run.`;
}

function shortId(id: string): string {
  return id.slice(0, 40);
}
