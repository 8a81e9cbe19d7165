import {
  ATTRIBUTES_FIELD,
  PROPERTIES_FIELD,
  RECORD_FIELDS,
  SIGNER_EMAIL_PATHS,
  SIGNER_FIELDS,
  TITLE_FIELDS,
} from '../../src/assumptions/index.ts';
import { getPersonName, getTextField, getValueAtPath, isObject, type JsonObject } from '../platform/client-core.ts';

/**
 * Copies the fields of a record's `attributes` or `properties` to its top level, if the record lacks them. The `properties`
 * of a record with a name at its top level are custom fields, and stay inside.
 */
export function liftFields(item: JsonObject): JsonObject {
  const { [ATTRIBUTES_FIELD]: attributes, [PROPERTIES_FIELD]: properties } = item;
  if (isObject(attributes)) return { ...attributes, ...item };
  const isNamed = TITLE_FIELDS.some((name) => Object.hasOwn(item, name));
  return isObject(properties) && !isNamed ? { ...properties, ...item } : item;
}

/** Adds the email and the names of a recipient whose entry has them in an object, such as `person`. */
export function liftPerson(entry: unknown): unknown {
  if (!isObject(entry) || getTextField(entry, SIGNER_FIELDS.email) !== undefined) return entry;
  const objects = SIGNER_EMAIL_PATHS.map((path) => getValueAtPath(entry, path.replace('.email', ''))).filter(isObject);
  const person = objects.find((object) => getTextField(object, SIGNER_FIELDS.email) !== undefined);
  if (person === undefined) return entry;
  const pick = (names: readonly string[]) => getTextField(entry, names) ?? getTextField(person, names);
  return {
    ...entry,
    email: getTextField(person, SIGNER_FIELDS.email),
    full_name: pick(RECORD_FIELDS.fullName) ?? getPersonName(person),
    first_name: pick(RECORD_FIELDS.firstName),
    last_name: pick(RECORD_FIELDS.lastName),
  };
}
