/** A profile of a service with its own field names, written by hand so that tests do not depend on the learner. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationProfile, parseProfile, type Schema, type ServiceProfile } from '../../src/index.ts';

const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };
const id = (prefix: string): Schema => ({ type: 'string', format: 'prefixed-id', 'x-prefix': prefix });
export const object = (properties: Record<string, Schema>, seen = 8): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).slice(0, 2),
  'x-seen': seen,
});

export const link = object({
  id: id('lk-'),
  url: { type: 'string', format: 'uri' },
  document_id: id('dc-'),
  email_required: { type: 'boolean', 'x-seen': 8 },
  label: { ...text, 'x-seen': 8 },
  visitor_cap: { type: ['integer', 'null'], 'x-seen': 7 },
  expires_at: { type: ['string', 'null'], format: 'date-time', 'x-seen': 6 },
  passphrase: { ...text, 'x-seen': 2 },
  watermark: { type: 'boolean', 'x-seen': 1 },
  view_count: { type: 'integer' },
  created_at: time,
});

const contact = object({
  id: id('ct-'),
  email: { type: 'string', format: 'email', 'x-seen': 9 },
  display_name: { ...text, 'x-seen': 9 },
  firm: { ...text, 'x-seen': 9 },
  since: { type: 'integer', format: 'epoch-seconds', 'x-seen': 8 },
  score: { type: 'number', 'x-seen': 8 },
  tags: { type: 'array', items: text, 'x-seen': 8 },
  owner: { type: 'object', properties: { id: id('us-'), email: { type: 'string', format: 'email' } } },
  modified_at: time,
});

const agreement = object({
  id: id('ag-'),
  title: text,
  stage: { type: 'string', enum: ['draft', 'sent', 'signed'] },
  document_id: id('dc-'),
  signers: {
    type: 'array',
    items: { type: 'object', properties: { email: { type: 'string', format: 'email' }, name: text } },
  },
  created_at: time,
});

const list = (
  item: Schema,
  { query = {} }: { query?: Record<string, 'narrows' | 'sorts' | 'ignored' | 'refused'> } = {},
): OperationProfile => ({
  response: {
    status: 200,
    media: 'application/json',
    headers: { 'x-request-id': { type: 'string', format: 'uuid' } },
    body: { type: 'object', properties: { rows: { type: 'array', items: item }, after: text }, required: ['rows'] },
    seen: 3,
  },
  list: {
    at: ['rows'],
    next: { by: 'cursor', at: ['after'], params: ['after'] },
    size: { default: 25, param: 'per_page' },
    query,
  },
});

const one = (item: Schema, status = 200, seen = 1): OperationProfile => ({
  response: {
    status,
    media: 'application/json',
    headers: {},
    body: { type: 'object', properties: { result: item }, required: ['result'] },
    seen,
  },
  item: ['result'],
});

export function learnedProfile(service: string): ServiceProfile {
  return parseProfile({
    docshareProfile: 1,
    service,
    learned: { at: '2026-11-21T12:00:00.000Z', by: '0.1.0', calls: 41, mode: 'write' },
    scopes: { granted: ['links:read', 'links:write'], missing: [] },
    facts: { naming: 'snake', ids: 'prefixed', times: 'iso' },
    operations: {
      'links.list': list(link, {
        query: { label: 'narrows', 'sort=-created_at': 'sorts', q: 'ignored', foo: 'refused' },
      }),
      'links.create': {
        ...one(link, 201),
        requestBody: {
          type: 'object',
          properties: { document_id: text, label: text, visitor_cap: { type: 'integer' } },
          required: ['document_id'],
        },
      },
      'links.update': one(link, 200, 0),
      'contacts.list': list(contact),
      'agreements.list': list(agreement),
      'links.delete': { response: { status: 204, media: null, headers: {}, seen: 1 } },
    },
    resources: { link, contact, agreement },
    rejections: {
      unknownId: {
        status: 404,
        media: 'application/problem+json',
        headers: {},
        body: object({ title: text, status: { type: 'integer' } }),
        seen: 2,
      },
      limited: { status: 429, media: 'text/plain', headers: { 'retry-after': { type: 'string' } }, seen: 0 },
    },
  });
}

export function writeProfile(folder: string, profile: unknown): string {
  const path = join(folder, 'docshare.profile.json');
  writeFileSync(path, JSON.stringify(profile));
  return path;
}
