import { WORKSPACE_ENVELOPES, WORKSPACE_ID_FIELDS, WORKSPACE_NAME_FIELDS } from '../../src/assumptions/index.ts';
import { getTextField, getValueAtPath, isObject, type JsonObject, type Page } from './client-core.ts';

const MAX_NAME_LENGTH = 60;

/** Name or ID of the workspace, if all lists that show one agree. */
export function findWorkspaceName(pages: readonly Page<JsonObject>[]): string | undefined {
  const candidates = pages.flatMap(({ raw, items }) => [
    ...(isObject(raw) ? [raw, ...WORKSPACE_ENVELOPES.map((name) => getValueAtPath(raw, name))] : []),
    ...items,
  ]);
  return findOnlyValue(candidates, WORKSPACE_NAME_FIELDS) ?? findOnlyValue(candidates, WORKSPACE_ID_FIELDS);
}

function findOnlyValue(candidates: readonly unknown[], names: readonly string[]): string | undefined {
  const found = new Set(candidates.flatMap((candidate) => getTextField(candidate, names) ?? []));
  const [only, another] = [...found].map(toSingleLine).filter((name) => name !== '');
  return another === undefined ? only : undefined;
}

/** Shortens the name to one line for the list of accounts. */
function toSingleLine(name: string): string {
  const line = name.replace(/[\p{C}\s]+/gu, ' ').trim();
  return [...line].slice(0, MAX_NAME_LENGTH).join('').trim();
}
