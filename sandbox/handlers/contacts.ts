import { z } from 'zod';
import type { ContactRecord } from '../state/records.ts';
import { createBaseRecord } from '../state/service.ts';
import { findRecord } from '../state/state.ts';
import type { HandlerCall } from './handler.ts';
import { createFieldRejection, Email, parseBody } from './request-body.ts';
import { createListResult, type ListResult, type ResourceView } from './view.ts';

export const ContactBody = z.object({
  email: Email,
  name: z.string().nullish(),
  company: z.string().nullish(),
  phone: z.string().nullish(),
  tags: z.array(z.string().min(1)).optional(),
});
export const ContactChange = ContactBody.partial();
export const TagsBody = z.object({ tags: z.array(z.string().min(1)).optional(), tag: z.string().min(1).optional() });

function toContactView(contact: ContactRecord): ResourceView {
  return { object: 'contact', ...contact };
}

function list({ service }: HandlerCall): ListResult {
  return createListResult(service.state.contacts, toContactView);
}

function create({ service, body }: HandlerCall): ResourceView {
  const { known, custom } = parseBody(ContactBody, body);
  const contact: ContactRecord = {
    ...createBaseRecord(service, 'contact'),
    email: known.email,
    name: known.name ?? null,
    company: known.company ?? null,
    phone: known.phone ?? null,
    tags: [...new Set(known.tags)],
    custom,
  };
  service.state.contacts.set(contact.id, contact);
  return toContactView(contact);
}

function update({ service, id, body }: HandlerCall): ResourceView {
  const contact = findRecord(service.state.contacts, id, 'contact');
  const { known, custom } = parseBody(ContactChange, body);
  Object.assign(contact, known, { custom: { ...contact.custom, ...custom }, updated_at: service.clock.now() });
  return toContactView(contact);
}

/** Adds tags that the contact does not have yet. */
function addTags({ service, id, body }: HandlerCall): ResourceView {
  const contact = findRecord(service.state.contacts, id, 'contact');
  const { known } = parseBody(TagsBody, body);
  const added = known.tags ?? (known.tag === undefined ? [] : [known.tag]);
  if (added.length === 0) throw createFieldRejection([{ field: 'tags', message: 'is required' }]);
  contact.tags = [...new Set([...contact.tags, ...added])];
  contact.updated_at = service.clock.now();
  return toContactView(contact);
}

export const contacts = { list, create, update, addTags };
