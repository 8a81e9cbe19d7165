import { quoteText } from '../result/quote.ts';
import { defineDeleteTool, defineListTool, defineReadTool, defineWriteTool } from './define-tools.ts';
import { createObjectPreview } from './object-preview.ts';

export const templateTools = [
  defineListTool({
    name: 'list_templates',
    description: 'Lists agreement templates.',
    operation: 'templates.list',
  }),
  defineReadTool({
    name: 'get_template',
    description: 'Reads one agreement template in full.',
    operation: 'templates.get',
    id: 'Template id',
  }),
  defineWriteTool({
    name: 'create_template',
    description: 'Creates an agreement template.',
    operation: 'templates.create',
    fields: 'Fields of the template, named as in get_template',
  }),
  defineWriteTool({
    name: 'update_template',
    description: 'Changes an agreement template; read it first.',
    operation: 'templates.update',
    id: 'Template id',
    fields: 'Fields to change, named as in get_template',
  }),
  defineDeleteTool({
    name: 'delete_template',
    description: 'Deletes an agreement template for good.',
    operation: 'templates.delete',
    id: 'Template id',
    confirmation: ({ id }) => ({
      summary: `Delete template ${quoteText(id)}. This can't be undone.`,
      preview: createObjectPreview('templates', String(id)),
    }),
  }),
];
