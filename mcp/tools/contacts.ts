import { defineListTool, defineWriteTool } from './define-tools.ts';
import { getChangeAction } from './object-action.ts';
import { findAddressFields } from './risky-fields.ts';

export const contactTools = [
  defineListTool({ name: 'list_contacts', description: 'Lists CRM contacts.', operation: 'contacts.list' }),
  defineWriteTool({
    name: 'create_contact',
    description: 'Creates a CRM contact. Check list_contacts first to avoid a duplicate.',
    operation: 'contacts.create',
    fields: 'Fields of the contact. Use the names that list_contacts returns.',
  }),
  defineWriteTool({
    name: 'update_contact',
    description: 'Updates a CRM contact. A new email address needs confirmation by the user.',
    operation: 'contacts.update',
    id: 'Contact ID, from list_contacts.',
    fields: 'Fields to change. Use the names that list_contacts returns.',
    confirmation: ({ id, fields }) =>
      getChangeAction(['contacts', String(id)], {
        fields,
        names: findAddressFields(fields),
        // The service may know the address under several names.
        effect: 'address',
        notice: 'Later agreements and proposals for this contact go to the new address.',
      }),
  }),
  defineWriteTool({
    name: 'add_contact_tags',
    description: 'Adds tags to a CRM contact. Existing tags are kept.',
    operation: 'contacts.addTags',
    id: 'Contact ID, from list_contacts.',
    fields: 'Field with the tags to add. Use the field name that list_contacts returns.',
    annotations: { destructiveHint: false },
  }),
];
