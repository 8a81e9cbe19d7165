import { z } from 'zod';
import type { TemplateRecord } from '../state/records.ts';
import { createBaseRecord } from '../state/service.ts';
import { findRecord } from '../state/state.ts';
import type { HandlerCall } from './handler.ts';
import { parseBody } from './request-body.ts';
import { createListResult, deleteRecord, type ListResult, type ResourceView } from './view.ts';

export const TemplateBody = z.object({
  name: z.string().min(1),
  description: z.string().nullish(),
  document_id: z.string().min(1).nullish(),
  roles: z.array(z.string()).optional(),
  fields: z.array(z.looseObject({})).optional(),
});
export const TemplateChange = TemplateBody.partial();

function toTemplateView(template: TemplateRecord): ResourceView {
  const { fields, ...rest } = template;
  return { object: 'template', ...rest, fields: fields.map((field) => ({ custom: field })) };
}

function list({ service }: HandlerCall): ListResult {
  return createListResult(service.state.templates, toTemplateView);
}

function get({ service, id }: HandlerCall): ResourceView {
  return toTemplateView(findRecord(service.state.templates, id, 'template'));
}

function create({ service, body }: HandlerCall): ResourceView {
  const { known, custom } = parseBody(TemplateBody, body);
  if (known.document_id) findRecord(service.state.documents, known.document_id, 'document');
  const template: TemplateRecord = {
    ...createBaseRecord(service, 'template'),
    name: known.name,
    description: known.description ?? null,
    document_id: known.document_id ?? null,
    roles: known.roles ?? ['signer'],
    fields: known.fields ?? [],
    custom,
  };
  service.state.templates.set(template.id, template);
  return toTemplateView(template);
}

function update({ service, id, body }: HandlerCall): ResourceView {
  const template = findRecord(service.state.templates, id, 'template');
  const { known, custom } = parseBody(TemplateChange, body);
  if (known.document_id) findRecord(service.state.documents, known.document_id, 'document');
  Object.assign(template, known, { custom: { ...template.custom, ...custom }, updated_at: service.clock.now() });
  return toTemplateView(template);
}

function remove({ service, id }: HandlerCall): ResourceView {
  return deleteRecord(service.state.templates, { id, object: 'template' });
}

export const templates = { list, get, create, update, delete: remove };
