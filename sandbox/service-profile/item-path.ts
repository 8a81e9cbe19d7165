import { ID_FIELDS } from '../../src/assumptions/index.ts';
import { getValueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { OperationProfile } from '../../src/profile/service-profile.ts';
import { normalizeName, toNameSet } from './normalize-name.ts';

const IDS = toNameSet(ID_FIELDS);

function isIdName(name: string): boolean {
  return IDS.has(normalizeName(name));
}

export function hasIdField(schema: Schema | undefined): boolean {
  return Object.keys(schema?.properties ?? {}).some(isIdName);
}

/**
 * Returns the path of the object in a response: as learned, or the only nested object with an id if the response itself has none.
 */
export function getItemPath({ item, response }: OperationProfile): readonly string[] {
  const body = response?.body;
  if ((item && item.length > 0) || hasIdField(body)) return item ?? [];
  const inner = Object.entries(body?.properties ?? {}).filter(
    ([, field]) => getValueTypes(field).includes('object') && hasIdField(field),
  );
  return inner.length === 1 ? inner.map(([name]) => name) : [];
}
