import { ID_FIELDS } from '../../src/assumptions/index.ts';
import { getValueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { getSchemaAt } from '../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { IdFormat, ObjectKind } from '../profile/id-kinds.ts';

/** Prefixes that are safe in paths and lists of ids. */
const PREFIX = /^[A-Za-z][\w.:-]{0,30}$/;

/** Returns the learned id format of a kind; undefined if none was seen. */
export function getIdFormat({ resources }: ServiceProfile, kind: ObjectKind): IdFormat | undefined {
  const form = idIn(Object.hasOwn(resources, kind) ? resources[kind] : undefined);
  return form && read(form);
}

/** Looks in the object itself, or in the single object that it wraps. */
function idIn(schema: Schema | undefined): Schema | undefined {
  const own = (form: Schema | undefined) =>
    ID_FIELDS.map((name) => getSchemaAt(form, [name])).find((field) => field !== undefined);
  const within = Object.values(schema?.properties ?? {}).filter(own);
  return own(schema) ?? (within.length === 1 ? own(within[0]) : undefined);
}

function read(form: Schema): IdFormat | undefined {
  const types = getValueTypes(form);
  if (types.length > 0 && !types.includes('string')) return 'numbers';
  const prefix = form['x-prefix'];
  switch (form.format) {
    case 'prefixed-id':
      return prefix !== undefined && PREFIX.test(prefix) ? { prefix } : 'prefixed';
    case 'uuid':
      return 'uuid';
    case 'digits':
      return 'digits';
    case 'opaque-id':
      return 'opaque';
    default:
      return undefined;
  }
}
