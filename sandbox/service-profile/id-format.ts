import { ID_FIELDS } from '../../src/assumptions/index.ts';
import { getValueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { getSchemaAt } from '../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { IdFormat, ObjectKind } from '../profile/id-kinds.ts';

/** Prefixes that are safe in paths and lists of ids. */
const PREFIX = /^[A-Za-z][\w.:-]{0,30}$/;

const ID_FORMATS: ReadonlyMap<string | undefined, IdFormat> = new Map([
  ['uuid', 'uuid'],
  ['digits', 'digits'],
  ['opaque-id', 'opaque'],
]);

/** Returns the learned id format of a kind; undefined if none was seen. */
export function getIdFormat({ resources }: ServiceProfile, kind: ObjectKind): IdFormat | undefined {
  const schema = findIdSchema(Object.hasOwn(resources, kind) ? resources[kind] : undefined);
  return schema && toIdFormat(schema);
}

/** Returns the ID of the object itself, or of the single object that it wraps. */
function findIdSchema(schema: Schema | undefined): Schema | undefined {
  const getId = (object: Schema | undefined) =>
    ID_FIELDS.map((name) => getSchemaAt(object, [name])).find((field) => field !== undefined);
  const wrapped = Object.values(schema?.properties ?? {}).filter(getId);
  return getId(schema) ?? (wrapped.length === 1 ? getId(wrapped[0]) : undefined);
}

function toIdFormat(schema: Schema): IdFormat | undefined {
  const types = getValueTypes(schema);
  if (types.length > 0 && !types.includes('string')) return 'numbers';
  const prefix = schema['x-prefix'];
  if (schema.format === 'prefixed-id') return prefix !== undefined && PREFIX.test(prefix) ? { prefix } : 'prefixed';
  return ID_FORMATS.get(schema.format);
}
