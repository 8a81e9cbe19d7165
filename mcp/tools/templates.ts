import { quoted } from '../answer/quoted.ts';
import { lookUp } from './look-up.ts';
import { deleteTool, listTool, readTool, writeTool } from './tool-kinds.ts';

export const templateTools = [
  listTool({
    name: 'list_templates',
    description: 'Lists agreement templates.',
    operation: 'templates.list',
  }),
  readTool({
    name: 'get_template',
    description: 'Reads one agreement template in full.',
    operation: 'templates.get',
    id: 'Template id',
  }),
  writeTool({
    name: 'create_template',
    description: 'Creates an agreement template.',
    operation: 'templates.create',
    fields: 'Fields of the template, named as in get_template',
  }),
  writeTool({
    name: 'update_template',
    description: 'Changes an agreement template; read it first.',
    operation: 'templates.update',
    id: 'Template id',
    fields: 'Fields to change, named as in get_template',
  }),
  deleteTool({
    name: 'delete_template',
    description: 'Deletes an agreement template for good.',
    operation: 'templates.delete',
    id: 'Template id',
    gate: ({ id }) => ({
      summary: `Delete template ${quoted(id)}. This can't be undone.`,
      preview: lookUp('templates', String(id)),
    }),
  }),
];
