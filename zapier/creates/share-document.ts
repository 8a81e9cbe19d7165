import type { ZObject } from 'zapier-platform-core';
import { FORM_NAMES } from '../../src/assumptions/index.ts';
import { additionalFields, readFlag, readMore, textInput } from '../forms/form.ts';
import { learnedFields } from '../forms/learned-fields.ts';
import { createMemory } from '../platform/cache.ts';
import { openFile } from '../platform/file-field.ts';
import { idOfLink, link } from '../records/link.ts';
import { outputFieldsOf, recordFrom } from '../records/record.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  file: string;
  name?: string;
  email_required?: boolean;
}

/** Long enough for the platform's own retries of a run that was throttled between the two calls. */
const KEPT_SECONDS = 60 * 60;

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
    {
      key: 'email_required',
      label: 'Ask for an Email',
      type: 'boolean',
      required: false,
      default: 'yes',
      helpText: 'Visitors give their e-mail address before they see the document, so you know who looked.',
    },
    additionalFields,
    learnedFields(link, [...FORM_NAMES.link, 'name']),
  ],
  run: async (client, { z, input }) => {
    const memory = rememberUpload(z, input);
    const known = await memory.read();
    const uploaded = known ?? (await upload());
    if (!known) await memory.keep(uploaded);
    const body = {
      document_id: uploaded.id,
      email_required: readFlag(input.email_required, 'Ask for an Email') ?? true,
      ...readMore(input),
    };
    const created = await client.links.create(body);
    await memory.forget();
    return {
      ...recordFrom(link, created, { ...body, id: await idOfLink(client, created) }),
      document_name: uploaded.name,
    };

    async function upload() {
      const file = await openFile(z, input.file);
      const { id, name } = await client.upload(file.source, {
        name: input.name ?? file.name,
        ...(file.type === undefined ? {} : { type: file.type }),
      });
      if (id === undefined)
        throw new z.errors.Error(
          'The file was uploaded, but Docshare gave no id for it. Make its link with Create Link.',
          'no_id',
        );
      return { id, name };
    }
  },
  shows: {
    outputFields: [...outputFieldsOf(link), { key: 'document_name', label: 'Document Name', type: 'string' }],
    sample: { ...link.sample, document_name: 'Series A Deck.pdf' },
  },
});

/**
 * The platform runs a step again that was throttled after its upload: what is uploaded already is not uploaded twice.
 * A run that ended well forgets it, so that sharing the same file again makes a new document.
 */
function rememberUpload(z: ZObject, { file, name }: Input) {
  const key = `upload-${z.hash('sha256', JSON.stringify([file, name ?? '']))}`;
  const memory = createMemory(z);
  return {
    read: () => memory.read(key).catch(() => null) as Promise<Uploaded | null>,
    keep: (uploaded: Uploaded) => memory.keep(key, uploaded, KEPT_SECONDS).catch(() => null),
    forget: () => memory.forget(key).catch(() => false),
  };
}

interface Uploaded {
  readonly id: string;
  readonly name: string;
}
