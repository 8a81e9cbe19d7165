import { z } from 'zod';
import type { LinkRecord } from '../state/records.ts';
import { createBaseRecord, type Service } from '../state/service.ts';
import { findRecord } from '../state/state.ts';
import { getLinkUrl } from '../state/visiting.ts';
import { getVisits } from '../state/visits.ts';
import type { HandlerCall } from './handler.ts';
import { createFieldRejection, parseBody, Reference, Time } from './request-body.ts';
import { createListResult, deleteRecord, type ListResult, type ResourceView } from './view.ts';

export const LinkBody = z.object({
  document_id: z.string().min(1).optional(),
  room_id: Reference.nullish(),
  group_id: Reference.nullish(),
  name: z.string().nullish(),
  email_required: z.boolean().optional(),
  password: z.string().nullish(),
  nda_required: z.boolean().optional(),
  expires_at: Time.nullish(),
  max_visitors: z.number().int().positive().nullish(),
  download_allowed: z.boolean().optional(),
});

export function toLinkView(service: Service, link: LinkRecord): ResourceView {
  const visits = getVisits(service.state, link.id);
  const expired = link.expires_at !== null && link.expires_at <= service.clock.now();
  return {
    object: 'link',
    id: link.id,
    url: getLinkUrl(service, link.id),
    document_id: link.document_id,
    room_id: link.room_id,
    ...(link.group_id ? { group_id: link.group_id } : {}),
    name: link.name,
    email_required: link.email_required,
    password_required: link.password !== null,
    nda_required: link.nda_required,
    status: expired ? 'expired' : 'active',
    expires_at: link.expires_at,
    max_visitors: link.max_visitors,
    download_allowed: link.download_allowed,
    view_count: visits.length,
    created_at: link.created_at,
    updated_at: link.updated_at,
    custom: link.custom,
  };
}

function list({ service }: HandlerCall): ListResult {
  return createListResult(service.state.links, (link) => toLinkView(service, link));
}

function create({ service, body }: HandlerCall): ResourceView {
  const { known, custom } = parseBody(LinkBody, body);
  if (known.document_id === undefined && !known.room_id)
    throw createFieldRejection([{ field: 'document_id', message: 'is required' }]);
  assertTargets(service, known);
  const link: LinkRecord = {
    ...createBaseRecord(service, 'link'),
    ...(known.group_id ? { group_id: known.group_id } : {}),
    document_id: known.document_id ?? null,
    room_id: known.room_id ?? null,
    name: known.name ?? null,
    email_required: known.email_required ?? false,
    password: known.password ?? null,
    nda_required: known.nda_required ?? false,
    expires_at: known.expires_at ?? null,
    max_visitors: known.max_visitors ?? null,
    download_allowed: known.download_allowed ?? true,
    custom,
  };
  service.state.links.set(link.id, link);
  return toLinkView(service, link);
}

/** Checks the references of a link. @throws Rejection if its document, its room or a group of its room does not exist */
function assertTargets({ state }: Service, known: z.infer<typeof LinkBody>, previousRoom: string | null = null): void {
  const { document_id, room_id, group_id } = known;
  if (document_id !== undefined) findRecord(state.documents, document_id, 'document');
  if (room_id) findRecord(state.rooms, room_id, 'room');
  const room = state.rooms.get(room_id ?? previousRoom ?? '');
  if (group_id && !room?.groups.some(({ id }) => id === group_id))
    throw createFieldRejection([{ field: 'group_id', message: 'is not a group of the room' }]);
}

function update({ service, id, body }: HandlerCall): ResourceView {
  const link = findRecord(service.state.links, id, 'link');
  const { known, custom } = parseBody(LinkBody, body);
  assertTargets(service, known, link.room_id);
  // A group belongs to one room.
  const isMoved = known.room_id !== undefined && known.room_id !== link.room_id;
  if (isMoved && known.group_id === undefined) delete link.group_id;
  Object.assign(link, known, { custom: { ...link.custom, ...custom }, updated_at: service.clock.now() });
  return toLinkView(service, link);
}

function remove({ service, id }: HandlerCall): ResourceView {
  return deleteRecord(service.state.links, { id, object: 'link' });
}

export const links = { list, create, update, delete: remove };
