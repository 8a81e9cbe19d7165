import { ID_FIELDS } from '../../src/assumptions/index.ts';
import { valueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { IdFormat, ObjectKind } from '../state/state.ts';
import { namesMeant } from './meaning.ts';
import { findSchemaField } from './schema-at.ts';

/** What may stand in a path and in a list of ids. */
const PREFIX = /^[A-Za-z][\w.:-]{0,30}$/;

/** In whose answers parts of a record show their ids, where they have none of their own. */
const WITHIN: Readonly<Record<string, readonly [holder: string, list: string]>> = {
  folder: ['room', 'folders'],
  file: ['room', 'files'],
  group: ['room', 'groups'],
  recipient: ['agreement', 'recipients'],
};

/** The form that new ids of a kind have in the learned service; undefined where none was seen. */
export function getIdFormat({ resources }: ServiceProfile, kind: ObjectKind): IdFormat | undefined {
  const own = Object.hasOwn(resources, kind) ? resources[kind] : undefined;
  const [holder = '', list = ''] = WITHIN[kind] ?? [];
  const parts = Object.hasOwn(resources, holder) ? Object.entries(resources[holder]?.properties ?? {}) : [];
  const part = parts.find(([name, field]) => field.items && namesMeant(name, [list]).length > 0)?.[1].items;
  const form = [own, part].map(idIn).find((id) => id !== undefined);
  return form && read(form);
}

/** In the object itself, or in the one that it only wraps. */
function idIn(schema: Schema | undefined): Schema | undefined {
  const own = (form: Schema | undefined) =>
    ID_FIELDS.map((name) => findSchemaField(form, name)).find((field) => field !== undefined);
  const within = Object.values(schema?.properties ?? {}).filter(own);
  return own(schema) ?? (within.length === 1 ? own(within[0]) : undefined);
}

function read(form: Schema): IdFormat | undefined {
  const types = valueTypes(form);
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
