import type { z } from 'zod';
import { ATTRIBUTES_FIELD } from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { isObject } from '../base/is-object.ts';
import { findSynonyms } from './synonyms.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Renames the fields of a body from the service's names to the sandbox's; unknown names stay. The only field
 * of a body without known names counts as the first field that its value fits.
 */
export function renameBody(body: unknown, { form, known }: { form: Schema | undefined; known: z.ZodObject }): unknown {
  if (!isObject(body)) return body;
  const fields = unwrap(body, form, known);
  const own = Object.keys(known.shape);
  const fits = (name: string, value: unknown) => known.shape[name]?.safeParse(value).success === true;
  const isAlone = Object.keys(fields).length === 1;
  const taken = new Set(own.filter((name) => Object.hasOwn(fields, name)));
  const renamed = Object.entries(fields).map(([name, value]): [string, unknown] => {
    if (taken.has(name)) return [name, value];
    const meant = findSynonyms(name, own).find((one) => !taken.has(one) && fits(one, value));
    const found = meant ?? (isAlone && Array.isArray(value) ? own.find((one) => fits(one, value)) : undefined);
    if (found !== undefined) taken.add(found);
    return [found ?? name, value];
  });
  return Object.fromEntries(renamed);
}

/** Unwraps `{ contact: {…} }` and `{ data: { attributes: {…} } }`, if the service takes such bodies. */
function unwrap(fields: Fields, form: Schema | undefined, known: z.ZodObject): Fields {
  const names = Object.keys(form?.properties ?? {});
  const name = names.find(
    (one) =>
      form?.properties?.[one]?.properties &&
      !Object.hasOwn(known.shape, one) &&
      (names.length === 1 || one === ATTRIBUTES_FIELD),
  );
  const inner = name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (name === undefined || !isObject(inner)) return fields;
  const { [name]: _, ...rest } = fields;
  return unwrap({ ...rest, ...inner }, form?.properties?.[name], known);
}
