import { ATTRIBUTES_FIELD, PROPERTIES_FIELD, TITLE_FIELDS } from '../../src/assumptions/index.ts';
import { isObject, type JsonObject } from '../platform/client-core.ts';

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
