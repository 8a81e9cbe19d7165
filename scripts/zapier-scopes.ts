import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { operations } from '../src/operations/index.ts';

/** Folders searched for a step's API calls; the other folders serve all steps. */
const STEP_FOLDERS = ['triggers', 'creates', 'searches', 'hydrators'].map((folder) => join('zapier', folder));
const UPLOAD_OPERATIONS = ['documents.create', 'documents.startUpload', 'documents.finalizeUpload'];

/** Calls that list a kind of record. */
const RECORD_KIND_PATTERN =
  /\b(?:defineFindSearch|defineNewRecordTrigger|findById|searchRecords|createRecordDeduplicator|getListFunction)\(\s*(\w+)|\bkind: (\w+)/g;

/** Scopes of the operations that a step calls, from its source and its imports. */
export function getStepScopes(key: string): readonly string[] {
  // These steps come from a table: each reads the list of its kind.
  const [, resource] = /^(?:new|find)_(document|link|room|agreement|proposal|template|contact)$/.exec(key) ?? [];
  if (resource !== undefined) return getOperationScopes([`${resource}s.list`]);
  const calls = new Set<string>();
  collectCalls(findStepFile(key), { calls, seen: new Set() });
  return getOperationScopes(calls);
}

/** Scopes that the drop-down lists of a form need. */
export function getFormScopes(fields: readonly unknown[]): readonly string[] {
  const calls = fields.flatMap((field) => {
    const { dynamic } = (typeof field === 'object' ? field : {}) as { dynamic?: string };
    const [, resource] = dynamic?.match(/^(\w+)_list\./) ?? [];
    return resource === undefined ? [] : [`${resource}s.list`];
  });
  return getOperationScopes(calls);
}

function getOperationScopes(calls: Iterable<string>): string[] {
  const scopes = [...calls].flatMap((name) => {
    const found = operations.find((operation) => operation.name === name);
    return found ? [found.operation.scope] : [];
  });
  return [...new Set(scopes)].sort();
}

function findStepFile(key: string): string {
  const fileNamedByKey = STEP_FOLDERS.map((folder) => join(folder, `${key.replaceAll('_', '-')}.ts`)).find((path) =>
    existsSync(path),
  );
  const files = STEP_FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const found = fileNamedByKey ?? files.find((path) => readFileSync(path, 'utf8').includes(`key: '${key}'`));
  if (found === undefined) throw new Error(`No file of zapier/ has the step ${key}`);
  return found;
}

function collectCalls(path: string, result: { calls: Set<string>; seen: Set<string> }): void {
  if (result.seen.has(path)) return;
  result.seen.add(path);
  const text = readFileSync(path, 'utf8');
  for (const [, group, method] of text.matchAll(/\bclient\.(\w+)\s*\.(\w+)\(/g)) result.calls.add(`${group}.${method}`);
  for (const [, name = ''] of text.matchAll(/\bdefineRecordAction<[^(]*>\(\s*'(\w+\.\w+)'/g)) {
    result.calls.add(name);
    // "Find or create" steps also read the list.
    if (/\buniqueField:/.test(text)) result.calls.add(name.replace(/\w+$/, 'list'));
  }
  if (/\bclient\.upload\(/.test(text)) for (const call of UPLOAD_OPERATIONS) result.calls.add(call);
  if (/\bfetchPermissionMatrix\(/.test(text)) result.calls.add('rooms.list');
  for (const [, first, second] of text.matchAll(RECORD_KIND_PATTERN)) result.calls.add(`${first ?? second}s.list`);
  for (const [, from = ''] of text.matchAll(/^import (?!type)[^;]*? from '(\.[^']+)'/gm)) {
    const next = normalize(join(dirname(path), from));
    if (STEP_FOLDERS.some((folder) => next.startsWith(folder)) && existsSync(next)) collectCalls(next, result);
  }
}
