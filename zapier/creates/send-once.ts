import type { ZObject } from 'zapier-platform-core';
import { z as zod } from 'zod';
import type { SigningForm } from '../../src/assumptions/index.ts';
import { ApiError, type Client, idOf, type JsonObject } from '../platform/core.ts';
import { clip } from '../platform/error-words.ts';
import { explainAfter } from '../platform/errors.ts';
import type { Unfinished } from '../platform/unfinished.ts';
import { agreement } from '../records/agreement.ts';
import { findById } from '../records/pages.ts';
import { recordFrom } from '../records/record.ts';
import { bearsOut, maySayItIsSent } from './sent-before.ts';
import {
  createDraft,
  findDraftMismatch,
  getAgreementStatus,
  isOnItsWay,
  sendDraft,
  signingNames,
} from './signing.ts';
import { Uploaded, uploadFile } from './upload-once.ts';

const Draft = zod.object({
  id: zod.string(),
  /** Its state before it was sent. */
  status: zod.string().optional(),
  /** Whether it has taken subject and message. */
  taken: zod.boolean(),
});
type Draft = Readonly<zod.infer<typeof Draft>>;

/** What a run has done; `sending`: a send was begun, and its end was not seen. */
export const SigningState = zod.object({
  document: Uploaded.optional(),
  draft: Draft.optional(),
  sending: zod.boolean().optional(),
});
export type SigningState = Readonly<zod.infer<typeof SigningState>>;

interface Run {
  readonly client: Client;
  readonly z: ZObject;
  readonly unfinished: Unfinished<SigningState>;
  readonly form: SigningForm;
  readonly more: JsonObject;
  readonly file: string | undefined;
}

/**
 * Uploads what is to be signed, makes the draft, looks at its signers and sends it: each once, however often the run is
 * begun anew. What can't be told (whether a send was done) is looked at, and never done a second time.
 */
export async function sendOnce(run: Run): Promise<JsonObject> {
  const state = (await run.unfinished.read()) ?? {};
  const left = await draftLeft(run.client, state);
  const { document, kept } = await withDocument(run, { document: state.document, left });
  const form = document ? { ...run.form, document: document.id } : run.form;
  const names = await signingNames(run.client);
  const { draft, answer } = left
    ? { draft: left, answer: undefined }
    : await makeDraft({ ...run, form }, { document, names, kept });
  const { client, z, unfinished } = run;
  const { id } = draft;
  const show = (record: JsonObject) =>
    recordFrom(agreement, record, {
      name: form.name,
      template_id: form.template,
      document_id: form.document,
      id,
    });
  if (state.sending) {
    const { sent, record } = await isOnItsWay(client, { id, before: draft.status });
    if (sent) return show(record);
    if (sent === undefined) throw new z.errors.HaltedError(clip(doubtful(id)));
  }
  const amiss = await findDraftMismatch(client, { id, form, answer });
  if (amiss !== undefined)
    throw new z.errors.Error(
      clip(
        `Agreement ${short(id)} is a draft and was not sent: Docshare does not show ${amiss}. Correct the draft in Docshare and replay this run: it sends this draft.`,
      ),
      'signers_not_set',
    );
  const isKept = await unfinished.keep({ ...(document && { document }), draft, sending: true });
  try {
    return show({ ...answer, ...(await sendDraft(client, { id, form, names, taken: draft.taken })) });
  } catch (error) {
    if (maySayItIsSent(error)) {
      const { sent, record } = await isOnItsWay(client, { id });
      if (sent && bearsOut(error, record, draft.status)) return show(record);
    }
    const isRefused = error instanceof ApiError && error.status < 500;
    if (isRefused) await unfinished.keep({ ...(document && { document }), draft });
    throw isRefused
      ? explainAfter(z, error, { done: `Agreement ${short(id)} exists, and was not sent.`, kept: isKept })
      : unclear(z, { id, error, kept: isKept });
  }
}

/** The draft of an earlier run; one that was deleted since is made anew, unless it may have been sent. */
async function draftLeft(client: Client, { draft, sending }: SigningState): Promise<Draft | undefined> {
  if (draft === undefined || sending) return draft;
  const found = await findById(agreement, client, draft.id).catch(() => 'unread' as const);
  return found === 'absent' ? undefined : draft;
}

async function withDocument(
  { client, z, unfinished, form, file }: Run,
  { document: made, left }: { document: Uploaded | undefined; left: Draft | undefined },
): Promise<{ document: Uploaded | undefined; kept: boolean }> {
  if (made || left || file === undefined) return { document: made, kept: true };
  const next = 'Send for Signature and the document from its list';
  const document = await uploadFile(client, z, { file, name: form.name, next });
  return { document, kept: await unfinished.keep({ document }) };
}

async function makeDraft(
  { client, z, unfinished, form, more }: Run,
  {
    document,
    names,
    kept,
  }: { document: Uploaded | undefined; names: Awaited<ReturnType<typeof signingNames>>; kept: boolean },
): Promise<{ draft: Draft; answer: JsonObject }> {
  const { answer, taken } = await createDraft(client, { form, names, more }).catch((error: unknown) => {
    if (document === undefined) throw error;
    const isRefused = error instanceof ApiError && error.status < 500;
    const rest = isRefused ? '; nothing was sent' : ', and an agreement for it may exist';
    throw explainAfter(z, error, {
      done: `The file is uploaded as document ${short(document.id)}${rest}.`,
      kept,
      // What was made unheard may be made once more, and some services send what is made.
      ...(isRefused ? {} : { advice: 'Look for the agreement in Docshare before you replay this run.' }),
    });
  });
  const id = idOf(answer, agreement.resource);
  if (id === undefined)
    throw new z.errors.HaltedError(
      'The agreement was made, but Docshare gave no id for it, so it was not sent. Do not replay this run: find the draft in Docshare, and send it there.',
    );
  const status = getAgreementStatus(answer);
  const draft = { id, taken, ...(status === undefined ? {} : { status }) };
  await unfinished.keep({ ...(document && { document }), draft });
  return { draft, answer };
}

function unclear(z: ZObject, { id, error, kept }: { id: string; error: unknown; kept: boolean }): unknown {
  if (!kept) return new z.errors.HaltedError(clip(doubtful(id)));
  return explainAfter(z, error, {
    done: `Agreement ${short(id)} exists and may have been sent.`,
    advice: 'Replay this run: it looks first, and sends nothing twice.',
    kept,
  });
}

function doubtful(id: string): string {
  return `Agreement ${short(id)} exists and may have been sent, and Docshare does not show which. So it is not sent again: look at it in Docshare, and do not replay this run.`;
}

function short(id: string): string {
  return id.slice(0, 40);
}
