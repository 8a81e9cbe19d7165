import type { z } from 'zod';
import { ATTRIBUTES_FIELD } from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { OperationProfile } from '../../src/profile/service-profile.ts';
import type { State } from '../state/state.ts';
import { namesMeant } from './meaning.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A body under the service's own names, as the sandbox reads it: fields that mean one of its own travel under that name,
 * the others stay as they are. What the service was seen to take is never refused for a field that only the sandbox wants.
 */
export function readLearnedBody(
  body: unknown,
  {
    called,
    optionalField,
    state,
  }: { called: OperationProfile | undefined; optionalField: z.ZodObject; state: State },
): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const fields = unwrap(body as Fields, called?.takes, optionalField);
  const own = Object.keys(optionalField.shape);
  const fits = (name: string, value: unknown) => optionalField.shape[name]?.safeParse(value).success === true;
  const read = new Map<string, unknown>();
  const left = new Map<string, unknown>();
  for (const [name, value] of Object.entries(fields)) {
    const meant = Object.hasOwn(optionalField.shape, name)
      ? name
      : namesMeant(name, own).find(
          (one) => !Object.hasOwn(fields, one) && !read.has(one) && fits(one, value),
        );
    if (meant === undefined) left.set(name, value);
    else read.set(meant, value);
  }
  const needed = own.filter((name) => !read.has(name) && !fits(name, undefined));
  for (const name of needed) {
    const found = [...left].find(([, value]) => fits(name, value) && couldBe(name, value, state));
    if (!found) continue;
    left.delete(found[0]);
    read.set(name, found[1]);
  }
  if (read.size === 0) readLists(left, read, own, fits);
  if (isWhole(called, body as Fields))
    for (const name of needed) if (!read.has(name)) fillNeeded(name, read, fits);
  return Object.fromEntries([...read, ...left]);
}

/** `{ contact: {…} }`, `{ data: { attributes: {…} } }`: a body in wrappings of its own, where the service was seen to take them. */
function unwrap(body: Fields, form: Schema | undefined, optionalField: z.ZodObject): Fields {
  let [fields, known] = [body, form];
  for (let level = 0; level < MOST_WRAPPINGS; level++) {
    const holders = Object.entries(known?.properties ?? {}).filter(
      ([name, field]) => field.properties && !Object.hasOwn(optionalField.shape, name),
    );
    const isAlone = Object.keys(known?.properties ?? {}).length === 1;
    const [name, inner] = holders.find(([one]) => isAlone || one === ATTRIBUTES_FIELD) ?? [];
    const held = name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (name === undefined || typeof held !== 'object' || held === null || Array.isArray(held)) return fields;
    const { [name]: _, ...rest } = fields;
    fields = { ...rest, ...held };
    known = inner;
  }
  return fields;
}

const MOST_WRAPPINGS = 3;

/** By what it looks like: an id by what it leads to, an address by its form, a name by being a plain text. */
function couldBe(name: string, value: unknown, { documents }: State): boolean {
  if (name === 'document_id') return typeof value === 'string' && documents.has(value);
  if (name.endsWith('_id')) return false;
  if (typeof value !== 'string') return true;
  return name === 'name' ? !documents.has(value) && !/[@/]/.test(value) : true;
}

/** Whether a body has all that bodies had that were taken. */
function isWhole(called: OperationProfile | undefined, body: Fields): boolean {
  const required = called?.takes?.required ?? [];
  return required.length > 0 && required.every((name) => Object.hasOwn(body, name));
}

/** Of a body of which no name is known: a list stands for the first field that it fits, and stays where it is besides. */
function readLists(
  left: ReadonlyMap<string, unknown>,
  read: Map<string, unknown>,
  own: readonly string[],
  fits: (name: string, value: unknown) => boolean,
): void {
  for (const value of left.values()) {
    const field = Array.isArray(value) ? own.find((one) => fits(one, value)) : undefined;
    if (field !== undefined) read.set(field, value);
  }
}

/** A plain value for what the service does not ask for. */
function fillNeeded(
  name: string,
  read: Map<string, unknown>,
  fits: (name: string, value: unknown) => boolean,
): void {
  const value = ['Untitled', 'someone@example.com', []].find((one) => fits(name, one));
  if (value !== undefined && !name.endsWith('_id')) read.set(name, value);
}
