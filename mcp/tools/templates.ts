import { quoteText } from '../result/quote.ts';
import { defineDeleteTool, defineListTool, defineReadTool, defineWriteTool } from './define-tools.ts';
import { createObjectPreview } from './object-preview.ts';

export const templateTools = [
  defineListTool({ name: 'list_templates', description: 'Lists agreement templates.', operation: 'templates.list' }),
  defineReadTool({
    name: 'get_template',
    description: 'Returns one agreement template with all its fields.',
    operation: 'templates.get',
    id: 'Template ID, from list_templates.',
  }),
  defineWriteTool({
    name: 'create_template',
    description: 'Creates an agreement template.',
    operation: 'templates.create',
    fields: 'Fields of the template. Use the names that get_template returns.',
  }),
  defineWriteTool({
    name: 'update_template',
    description: 'Updates an agreement template. Call get_template first to see its current fields.',
    operation: 'templates.update',
    id: 'Template ID, from list_templates.',
    fields: 'Fields to change. Use the names that get_template returns.',
  }),
  defineDeleteTool({
    name: 'delete_template',
    description: 'Permanently deletes an agreement template, after the user confirms.',
    operation: 'templates.delete',
    id: 'Template ID, from list_templates.',
    confirmation: ({ id }) => ({
      summary: `Delete template ${quoteText(id)}. This can't be undone.`,
      preview: createObjectPreview('templates', String(id)),
    }),
  }),
];
