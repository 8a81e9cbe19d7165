import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { operations } from '../src/operations/index.ts';

/** Rooms of the app whose files a step's calls are looked for in; the others serve all steps alike. */
const STEPS = ['triggers', 'creates', 'searches', 'hydrators'].map((room) => join('zapier', room));
const UPLOAD = ['documents.create', 'documents.startUpload', 'documents.finalizeUpload'];

/** What hands a kind of record on to code that lists it. */
const BY_KIND = /\b(?:findSearch|newRecordTrigger|findById|lookUp|createMadeOnce)\(\s*(\w+)|\bkind: (\w+)/g;

/** The scopes of the operations that a step calls, by its key; read from the sources of the step and what it stands on. */
export function scopesOfStep(key: string): readonly string[] {
  const calls = new Set<string>();
  collect(findStepFile(key), { calls, seen: new Set() });
  return getOperationScopes(calls);
}

/** The scopes that filling in a form by its drop-downs takes. */
export function scopesOfForm(fields: readonly unknown[]): readonly string[] {
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
  const named = STEPS.map((room) => join(room, `${key.replaceAll('_', '-')}.ts`)).find((path) =>
    existsSync(path),
  );
  const files = STEPS.flatMap((room) => readdirSync(room).map((name) => join(room, name)));
  const found = named ?? files.find((path) => readFileSync(path, 'utf8').includes(`key: '${key}'`));
  if (found === undefined) throw new Error(`No file of zapier/ has the step ${key}`);
  return found;
}

function collect(path: string, into: { calls: Set<string>; seen: Set<string> }): void {
  if (into.seen.has(path)) return;
  into.seen.add(path);
  const text = readFileSync(path, 'utf8');
  for (const [, group, method] of text.matchAll(/\bclient\.(\w+)\s*\.(\w+)\(/g))
    into.calls.add(`${group}.${method}`);
  if (/\bclient\.upload\(/.test(text)) for (const call of UPLOAD) into.calls.add(call);
  if (/\breadMatrix\(/.test(text)) into.calls.add('rooms.list');
  for (const [, first, second] of text.matchAll(BY_KIND)) into.calls.add(`${first ?? second}s.list`);
  for (const [, from = ''] of text.matchAll(/^import (?!type)[^;]*? from '(\.[^']+)'/gm)) {
    const next = normalize(join(dirname(path), from));
    if (STEPS.some((room) => next.startsWith(room)) && existsSync(next)) collect(next, into);
  }
}
