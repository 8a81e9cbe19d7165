import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { USUAL_FIELDS } from '../assumptions.ts';
import { NameShape, text, textList } from '../tool/arguments.ts';
import { addContactTags } from './add-contact-tags.ts';
import { defineListTool, defineWriteTool } from './define-tools.ts';
import { createDraftConfirmation, createDraftEffects } from './draft-confirmation.ts';
import { getChangeAction } from './object-action.ts';
import { findRiskyContactFields, hasAddress } from './risky-fields.ts';

export const contactTools = [
  defineListTool({ name: 'list_contacts', description: 'Lists CRM contacts.', operation: 'contacts.list' }),
  defineWriteTool({
    name: 'create_contact',
    description: 'Creates a CRM contact. Check list_contacts first to avoid a duplicate.',
    operation: 'contacts.create',
    form: {
      shape: { ...NameShape, email: text('Email address.').optional(), tags: textList('Tags.').optional() },
      toBodies: FORM_BODIES.contact,
    },
    fields: `Other fields, usually: ${USUAL_FIELDS.contact}.`,
    confirmation: createDraftConfirmation('contact'),
    newObjectEffects: createDraftEffects('contact'),
  }),
  defineWriteTool({
    name: 'update_contact',
    description: 'Updates a CRM contact. tags replaces all its tags. The user must confirm a new email address.',
    operation: 'contacts.update',
    id: 'Contact ID, from list_contacts.',
    fields: `Fields to change, usually: name, email, tags, ${USUAL_FIELDS.contact}.`,
    confirmation: ({ id, fields }) =>
      getChangeAction(['contacts', id], {
        fields,
        names: findRiskyContactFields(fields),
        // The service may know the address under several names.
        ...(hasAddress(fields)
          ? { effect: 'address', notice: 'Later agreements and proposals for this contact may go to another address.' }
          : { notice: 'A switch, an object or an ID may send something or give access.' }),
      }),
  }),
  addContactTags,
];
