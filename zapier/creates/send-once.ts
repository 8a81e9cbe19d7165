import type { ZObject } from 'zapier-platform-core';
import { z as zod } from 'zod';
import { DRAFT_STATES, type SigningForm } from '../../src/assumptions/index.ts';
import { type Client, idOf, type JsonObject } from '../platform/client-core.ts';
import { truncateMessage } from '../platform/error-messages.ts';
import { type ResumeStore, UNKNOWN_OUTCOME_TTL_S } from '../platform/resume.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { isRejection, toPartialFailureError } from '../platform/zapier-errors.ts';
import { getStatus } from '../records/is-signed.ts';
import { agreement } from '../records/kinds.ts';
import { tryFindById } from '../records/read-list.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { findRecord } from '../records/search-records.ts';
import { findOnFirstPage, getFoundItem } from '../triggers/event-lookup.ts';
import { confirmsAlreadySent, isCertainlySent, mayMeanAlreadySent } from './already-sent.ts';
import { getDraftUrl, requireDraft } from './ask-first.ts';
import { checkSent, createDraft, findDraftMismatch, resolveSigningNames, sendDraft } from './signing-draft.ts';
import { requireStillUploaded, toErrorAfterUpload, UploadedDocument, uploadFile } from './upload-file.ts';

const Draft = zod.object({
  id: zod.string(),
  /** Status before it was sent. */
  status: zod.string().optional(),
  /** True if it already has the subject and message. */
  messageIncluded: zod.boolean(),
});
type Draft = Readonly<zod.infer<typeof Draft>>;

/** Progress of a run; `sending`: a send was started, and its outcome is unknown. */
export const SigningState = zod.object({
  document: UploadedDocument.optional(),
  draft: Draft.optional(),
  sending: zod.boolean().optional(),
});
export type SigningState = Readonly<zod.infer<typeof SigningState>>;

interface SigningContext extends ClientStep {
  readonly resumeStore: ResumeStore<SigningState>;
  readonly form: SigningForm;
  readonly extraFields: JsonObject;
  readonly file: string | undefined;
  /** True if a person is to send the draft. */
  readonly keepsDraft?: boolean;
}

/**
 * Uploads the file, creates the draft, checks its signers and sends it: each once, even if the run is repeated. After an
 * unknown outcome it checks the agreement and never sends twice.
 */
export async function sendOnce(context: SigningContext): Promise<JsonObject> {
  const state = (await context.resumeStore.load()) ?? {};
  const existingDraft = await findExistingDraft(context.client, state);
  const { document, isResumable } = await ensureDocument(context, { document: state.document, existingDraft });
  const form = document ? { ...context.form, document: document.id } : context.form;
  const names = await resolveSigningNames(context.client);
  const {
    draft,
    response,
    isSaved: isDraftSaved,
  } = existingDraft
    ? { draft: existingDraft, response: undefined, isSaved: true }
    : await createNewDraft({ ...context, form }, { document, savedId: state.document?.id, names, isResumable });
  const { client, z, resumeStore } = context;
  const { id } = draft;
  const sentFields = { name: form.name, template_id: form.template, document_id: form.document, id };
  const toResult = (record: JsonObject) => ({ ...toWriteResult(agreement, record, sentFields), draft_url: null });
  if (state.sending) {
    const { isSent, record } = await checkSent(context, { id, draftStatus: draft.status }).catch((error: unknown) => {
      throw toUnknownOutcomeError(z, { id, error, isResumable: true });
    });
    if (isSent) return toResult(record);
    if (isSent === undefined) throw new z.errors.HaltedError(truncateMessage(describeUnknownOutcome(id)));
  }
  const notSent = { completed: `Agreement ${shortId(id)} was created, but not sent.` };
  const { extraFields, keepsDraft } = context;
  const draftTexts = keepsDraft ? { areIncluded: draft.messageIncluded, names: names.fields } : undefined;
  const mismatch = await findDraftMismatch(context, { id, form, response, extraFields, draftTexts }).catch(
    (error: unknown) => {
      throw toPartialFailureError(z, error, { ...notSent, isResumable: isDraftSaved });
    },
  );
  if (mismatch !== undefined && response) requireUnsent(z, id, response);
  if (mismatch !== undefined)
    throw new z.errors.Error(
      truncateMessage(
        `Agreement ${shortId(id)} is a draft and was not sent: Docshare ${mismatch}. Correct the draft in Docshare, then replay this run${keepsDraft ? '' : ' to send it'}.`,
      ),
      'signers_not_set',
    );
  if (keepsDraft) {
    const shown = response && getStatus(response) !== undefined ? response : undefined;
    const record = shown ?? (await findRecord(agreement, context, id).catch(() => response)) ?? {};
    if (response) requireUnsent(z, id, record);
    else requireDraft(z, record);
    return { ...toResult(record), draft_url: getDraftUrl(client, record) };
  }
  const sendingState = { ...(document && { document }), draft, sending: true };
  const isSaved = await resumeStore.save(sendingState, UNKNOWN_OUTCOME_TTL_S);
  try {
    const sent = await sendDraft(client, { id, form, names, messageIncluded: draft.messageIncluded });
    if (getStatus(sent) !== undefined) return toResult({ ...response, ...sent });
    // The state of the draft is no longer true, so the new one is read, if it is shown yet.
    const listed = await findOnFirstPage(agreement, client, id).catch(() => undefined);
    const record = getFoundItem(listed) ?? {};
    const shown = toResult({ ...response, ...record, ...sent });
    return [undefined, draft.status, ...DRAFT_STATES].includes(getStatus(record))
      ? { ...shown, status: null, raw: sent }
      : shown;
  } catch (error) {
    if (mayMeanAlreadySent(error)) {
      const checked = await checkSent(context, { id }).catch((checkError: unknown) => {
        if (checkError instanceof z.errors.ThrottledError) throw checkError;
      });
      if (checked?.isSent && confirmsAlreadySent(error, checked.record, draft.status)) return toResult(checked.record);
    }
    const isRejected = isRejection(error);
    if (isRejected) await resumeStore.save({ ...(document && { document }), draft });
    throw isRejected
      ? toPartialFailureError(z, error, { ...notSent, isResumable: isSaved })
      : toUnknownOutcomeError(z, { id, error, isResumable: isSaved });
  }
}

/** @throws HaltedError if the service sent a new agreement itself, instead of creating a draft. */
function requireUnsent(z: ZObject, id: string, record: JsonObject): void {
  if (!isCertainlySent(record)) return;
  throw new z.errors.HaltedError(
    `Docshare sent agreement ${shortId(id)} as soon as it was created, before it could be checked. Check it in Docshare, and do not replay this run.`,
  );
}

/** Draft of an earlier run; undefined if it was deleted since, unless it may have been sent. */
async function findExistingDraft(client: Client, { draft, sending }: SigningState): Promise<Draft | undefined> {
  if (draft === undefined || sending) return draft;
  const found = await tryFindById(agreement, client, draft.id);
  return found.kind === 'not-found' ? undefined : draft;
}

async function ensureDocument(
  context: SigningContext,
  { document: uploaded, existingDraft }: { document: UploadedDocument | undefined; existingDraft: Draft | undefined },
): Promise<{ document: UploadedDocument | undefined; isResumable: boolean }> {
  const { resumeStore, form, file } = context;
  if (uploaded || existingDraft || file === undefined) return { document: uploaded, isResumable: true };
  const nextStep = 'Send for Signature, and choose the document from the list';
  const document = await uploadFile(context, { file, name: form.name, nextStep });
  return { document, isResumable: await resumeStore.save({ document }) };
}

async function createNewDraft(
  { client, z, resumeStore, form, extraFields }: SigningContext,
  {
    document,
    savedId,
    names,
    isResumable,
  }: {
    document: UploadedDocument | undefined;
    /** ID of the document that an earlier run uploaded. */
    savedId: string | undefined;
    names: Awaited<ReturnType<typeof resolveSigningNames>>;
    isResumable: boolean;
  },
): Promise<{ draft: Draft; response: JsonObject; isSaved: boolean }> {
  const { response, messageIncluded } = await createDraft(client, { form, names, extraFields }).catch(
    async (error: unknown) => {
      if (document === undefined) throw error;
      await requireStillUploaded({ client, z, resumeStore }, { id: savedId, error });
      throw toErrorAfterUpload(z, error, {
        id: document.id,
        isResumable,
        rejected: 'but not sent',
        unknown: 'and its agreement may exist',
        // A second agreement could be created, and some services send it at once.
        adviceIfUnknown: 'Look for the agreement in Docshare before you replay this run.',
      });
    },
  );
  const id = idOf(response, agreement.resource);
  if (id === undefined)
    throw new z.errors.HaltedError(
      'The agreement was created, but Docshare did not return its ID, so it was not sent. Do not replay this run: find the draft in Docshare and send it there.',
    );
  const status = getStatus(response);
  const draft = { id, messageIncluded, ...(status === undefined ? {} : { status }) };
  const isSaved = await resumeStore.save({ ...(document && { document }), draft });
  return { draft, response, isSaved };
}

function toUnknownOutcomeError(
  z: ZObject,
  { id, error, isResumable }: { id: string; error: unknown; isResumable: boolean },
): unknown {
  if (!isResumable) return new z.errors.HaltedError(truncateMessage(describeUnknownOutcome(id)));
  return toPartialFailureError(z, error, {
    completed: `Agreement ${shortId(id)} was created and may have been sent.`,
    advice: 'Replay this run: it checks first and does not send twice.',
    isResumable,
  });
}

function describeUnknownOutcome(id: string): string {
  return `Agreement ${shortId(id)} was created and may have been sent; Docshare does not show it. It was not sent again. Check it in Docshare, and do not replay this run.`;
}

function shortId(id: string): string {
  return id.slice(0, 40);
}
