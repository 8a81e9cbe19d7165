import { z } from 'zod';
import { readBody } from '../http/body.ts';
import { newRecord } from '../service.ts';
import type { TemplateRecord } from '../state/records.ts';
import { find, newestFirst } from '../state/state.ts';
import type { HandlerCall } from './handler.ts';
import { type Listing, listing, type View } from './view.ts';

export const TemplateBody = z.object({
  name: z.string().min(1),
  description: z.string().nullish(),
  document_id: z.string().min(1).nullish(),
  roles: z.array(z.string()).optional(),
  fields: z.array(z.looseObject({})).optional(),
});
export const TemplateChange = TemplateBody.partial();

function viewTemplate(template: TemplateRecord): View {
  const { fields, ...rest } = template;
  return { object: 'template', ...rest, fields: fields.map((field) => ({ custom: field })) };
}

function list({ service }: HandlerCall): Listing {
  return listing(newestFirst(service.state.templates), viewTemplate);
}

function get({ service, id }: HandlerCall): View {
  return viewTemplate(find(service.state.templates, id, 'template'));
}

function create({ service, body }: HandlerCall): View {
  const { known, custom } = readBody(TemplateBody, body);
  if (known.document_id) find(service.state.documents, known.document_id, 'document');
  const template: TemplateRecord = {
    ...newRecord(service, 'template'),
    name: known.name,
    description: known.description ?? null,
    document_id: known.document_id ?? null,
    roles: known.roles ?? ['signer'],
    fields: known.fields ?? [],
    custom,
  };
  service.state.templates.set(template.id, template);
  return viewTemplate(template);
}

function update({ service, id, body }: HandlerCall): View {
  const template = find(service.state.templates, id, 'template');
  const { known, custom } = readBody(TemplateChange, body);
  if (known.document_id) find(service.state.documents, known.document_id, 'document');
  Object.assign(template, known, {
    custom: { ...template.custom, ...custom },
    updated_at: service.clock.now(),
  });
  return viewTemplate(template);
}

function remove({ service, id }: HandlerCall): View {
  find(service.state.templates, id, 'template');
  service.state.templates.delete(id);
  return { object: 'template', id };
}

export const templates = { list, get, create, update, delete: remove };
