import { agreements } from './agreements.ts';
import { analytics } from './analytics.ts';
import { billing } from './billing.ts';
import { contacts } from './contacts.ts';
import { documents } from './documents.ts';
import { links } from './links.ts';
import type { Operation } from './operation.ts';
import { proposals } from './proposals.ts';
import { rooms } from './rooms.ts';
import { templates } from './templates.ts';
import { webhooks } from './webhooks.ts';

/** The whole API: every row of §4 of its document, by group and name. */
export const catalog = {
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
};

export type Catalog = typeof catalog;
export type Group = keyof Catalog;

export type OperationName = { [G in Group]: `${G}.${Extract<keyof Catalog[G], string>}` }[Group];

export function getOperation(name: OperationName): Operation {
  const [group = '', key = ''] = name.split('.');
  // `OperationName` guarantees both keys; the catalog's type does not allow text indexes.
  const groups: Readonly<Record<string, Readonly<Record<string, Operation>>>> = catalog;
  const operation = groups[group]?.[key];
  if (!operation) throw new Error(`No operation ${name}`);
  return operation;
}

export interface NamedOperation {
  readonly name: OperationName;
  readonly group: Group;
  readonly operation: Operation;
}

/** All operations in the document's order. */
export const operations: readonly NamedOperation[] = Object.entries(catalog).flatMap(([group, entries]) =>
  Object.entries<Operation>(entries).map(([key, operation]) => ({
    // Object.entries widens keys to string; both parts come from `catalog`.
    name: `${group}.${key}` as OperationName,
    group: group as Group,
    operation,
  })),
);
