import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { createFormField } from '../fields/form-fields.ts';
import { createGateFields, LINK_FIELD_NAMES } from '../fields/gates.ts';
import { EMPTY_FIELD_HELP } from '../fields/learned-key.ts';
import { createResumeStore } from '../platform/resume.ts';
import { link } from '../records/kinds.ts';
import { createGatedLink, prepareLinkForm } from './create-gated-link.ts';
import { defineAction, type FormInput } from './define-action.ts';
import { fileField, requireStillUploaded, toErrorAfterUpload, UploadedDocument, uploadFile } from './upload-file.ts';

const EMAIL_HELP = 'Visitors must enter their email address to open the link, so you know who viewed it.';

export const shareDocument = defineAction<FormInput<'file', 'name'>>({
  key: 'share_document',
  noun: 'Link',
  label: 'Share Document',
  description: 'Uploads a file and creates a share link for it. Returns the Link URL. Nobody is notified.',
  inputFields: [
    fileField,
    createFormField('name', 'Document Name', { helpText: 'Leave empty to use the file name.' }),
    ...createGateFields({ emptyMeaning: EMPTY_FIELD_HELP, email: { default: 'yes', helpText: EMAIL_HELP } }),
    ...createExtraInputFields('links.create', { existingRecords: link, knownNames: [...LINK_FIELD_NAMES, 'name'] }),
  ],
  perform: async (step) => {
    const { z, input } = step;
    const { file, name } = input;
    const inputWithDefaults = { ...input, email_required: input['email_required'] ?? true };
    const form = await prepareLinkForm(step, inputWithDefaults);
    const resumeStore = createResumeStore(step, { step: 'share', input: [file, name ?? ''], schema: UploadedDocument });
    const savedUpload = await resumeStore.load();
    const nextStep = 'Create Link, and choose the document from the list';
    const uploaded = savedUpload ?? (await uploadFile(step, { file, name, nextStep }));
    const isResumable = savedUpload !== null || (await resumeStore.save(uploaded));
    const target = { document: uploaded.id };
    const remainsNote = ` (the document ${uploaded.id.slice(0, 40)} remains)`;
    const created = await createGatedLink(step, { target, form, remainsNote }).catch(async (error: unknown) => {
      await requireStillUploaded({ ...step, resumeStore }, { id: savedUpload?.id, error });
      throw toErrorAfterUpload(z, error, {
        id: uploaded.id,
        isResumable,
        rejected: 'without a link',
        unknown: 'and its link may exist',
        adviceIfUnknown: 'Look for the link in Docshare before you replay this run.',
      });
    });
    await resumeStore.clear();
    return { ...created, document_name: uploaded.name };
  },
  output: link,
});
