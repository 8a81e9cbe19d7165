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
export const catalogue = {
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

export type Catalogue = typeof catalogue;
export type Group = keyof Catalogue;

/** `group.name` of each operation. */
export type OperationName = { [G in Group]: `${G}.${Extract<keyof Catalogue[G], string>}` }[Group];

export function getOperation(name: OperationName): Operation {
  const [group = '', key = ''] = name.split('.');
  // The name's type says that both keys exist; the catalogue's own type is too narrow to be indexed by texts.
  const groups: Readonly<Record<string, Readonly<Record<string, Operation>>>> = catalogue;
  const operation = groups[group]?.[key];
  if (!operation) throw new Error(`No operation ${name}`);
  return operation;
}

export interface NamedOperation {
  readonly name: OperationName;
  readonly group: Group;
  readonly operation: Operation;
}

/** All operations in the order of the document. */
export const operations: readonly NamedOperation[] = Object.entries(catalogue).flatMap(([group, entries]) =>
  Object.entries<Operation>(entries).map(([key, operation]) => ({
    // Object.entries widens keys to string; both halves come from `catalogue` itself.
    name: `${group}.${key}` as OperationName,
    group: group as Group,
    operation,
  })),
);
