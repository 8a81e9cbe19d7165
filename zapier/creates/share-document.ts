import { textInput } from '../forms/form.ts';
import { gateFields, LINK_NAMES } from '../forms/gates.ts';
import { moreFields } from '../forms/more-fields.ts';
import { ApiError } from '../platform/core.ts';
import { explainAfter } from '../platform/errors.ts';
import { createUnfinished } from '../platform/unfinished.ts';
import { link } from '../records/link.ts';
import { outputFieldsFor } from '../records/record.ts';
import { action } from './action.ts';
import { makeLink, readLinkForm } from './gated-link.ts';
import { Uploaded, uploadFile } from './upload-once.ts';

interface Input extends Record<string, unknown> {
  file: string;
  name?: string;
}

export const shareDocument = action<Input>({
  key: 'share_document',
  noun: 'Link',
  label: 'Share Document',
  description: 'Creates a document from a file and a share link for it, in one step.',
  inputFields: [
    {
      key: 'file',
      label: 'File',
      type: 'file',
      required: true,
      helpText:
        'The file to share, from an earlier step: a PDF, a deck, a video or another source file, up to 100 MB.',
    },
    textInput('name', 'Document Name', { helpText: 'Leave empty to keep the name of the file.' }),
    ...gateFields({ empty: 'Leave empty to let Docshare decide.', email: { default: 'yes' } }),
    ...moreFields('links.create', { existing: link, known: [...LINK_NAMES, 'name'] }),
  ],
  run: async (client, step) => {
    const { z, bundle, input } = step;
    const { file, name } = input;
    // Unless told, the link asks for an e-mail address.
    const asked = { ...input, email_required: emptyAsYes(input['email_required']) };
    const form = await readLinkForm(client, asked, { zone: bundle.meta?.timezone });
    const unfinished = createUnfinished(step, { step: 'share', input: [file, name ?? ''], form: Uploaded });
    const known = await unfinished.read();
    const next = 'Create Link and the document from its list';
    const uploaded = known ?? (await uploadFile(client, z, { file, name, next }));
    const kept = known !== null || (await unfinished.keep(uploaded));
    const target = { document: uploaded.id };
    const left = `; the document stays (${uploaded.id.slice(0, 40)})`;
    const shown = await makeLink(client, z, { target, form, left }).catch((error: unknown) => {
      const isRefused = error instanceof ApiError && error.status < 500;
      throw explainAfter(z, error, {
        done: `The file is uploaded as document ${uploaded.id.slice(0, 40)}, ${isRefused ? 'without a link' : 'and its link may exist'}.`,
        kept,
        ...(isRefused ? {} : { advice: 'Look for the link in Docshare before you replay this run.' }),
      });
    });
    await unfinished.forget();
    return { ...shown, document_name: uploaded.name };
  },
  shows: {
    outputFields: [
      ...outputFieldsFor(link),
      { key: 'document_name', label: 'Document Name', type: 'string' },
    ],
    sample: { ...link.sample, document_name: 'Series A Deck.pdf' },
  },
});

function emptyAsYes(value: unknown): unknown {
  return value === undefined || value === null || String(value).trim() === '' ? true : value;
}
