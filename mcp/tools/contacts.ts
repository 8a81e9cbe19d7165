import { defineListTool, defineWriteTool } from './define-tools.ts';

export const contactTools = [
  defineListTool({
    name: 'list_contacts',
    description: 'Lists CRM contacts.',
    operation: 'contacts.list',
  }),
  defineWriteTool({
    name: 'create_contact',
    description: 'Creates a CRM contact; look in list_contacts first.',
    operation: 'contacts.create',
    fields: 'Fields of the contact, named as in list_contacts',
  }),
  defineWriteTool({
    name: 'update_contact',
    description: 'Changes a CRM contact.',
    operation: 'contacts.update',
    id: 'Contact id',
    fields: 'Fields to change, named as in list_contacts',
  }),
  defineWriteTool({
    name: 'add_contact_tags',
    description: 'Adds tags to a contact; its other tags stay.',
    operation: 'contacts.addTags',
    id: 'Contact id',
    fields: 'Fields that hold the tags, named as in list_contacts',
    annotations: { destructiveHint: false },
  }),
];
