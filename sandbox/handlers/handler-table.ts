import type { OperationName } from '../../src/operations/index.ts';
import { agreements } from './agreements.ts';
import { analytics } from './analytics.ts';
import { billing } from './billing.ts';
import { contacts } from './contacts.ts';
import { documents } from './documents.ts';
import type { AnyHandler, Handlers } from './handler.ts';
import { links } from './links.ts';
import { proposals } from './proposals.ts';
import { rooms } from './rooms.ts';
import { templates } from './templates.ts';
import { webhooks } from './webhooks.ts';

export const handlers = {
  documents,
  links,
  rooms,
  agreements,
  proposals,
  templates,
  contacts,
  analytics,
  webhooks,
  billing,
} satisfies Handlers;

const byName = new Map<string, AnyHandler>(
  Object.entries(handlers).flatMap(([group, entries]) =>
    Object.entries<AnyHandler>(entries).map(([key, handler]) => [`${group}.${key}`, handler] as const),
  ),
);

export function getHandler(name: OperationName): AnyHandler {
  const handler = byName.get(name);
  if (!handler) throw new Error(`No handler for ${name}`);
  return handler;
}
