import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { SIGNER_CONTAINERS, TEMPLATE_FIELDS } from '../../src/assumptions/index.ts';
import { getTextField, getValueAtPath, isObject, type JsonObject } from '../platform/client-core.ts';
import { readStepInput } from '../platform/step-input.ts';
import { createZapClient } from '../platform/with-client.ts';
import { isTemporary, toZapierError } from '../platform/zapier-errors.ts';
import { toLabel } from '../records/record-kind.ts';

const KEY_PREFIX = 'template__';

/** Offers the fields of the picked template that a sender can fill in; none if the service does not name them. */
export async function loadTemplateFields(z: ZObject, bundle: Bundle): Promise<PlainInputField[]> {
  const { template: id } = bundle.inputData;
  if (typeof id !== 'string' || id === '') return [];
  try {
    const template = await createZapClient(z, bundle.authData).templates.get({ id });
    return getTemplateFields(template).map(({ name, label }) => ({
      key: `${KEY_PREFIX}${name}`,
      label: label ?? toLabel(name),
      type: 'string',
      required: false,
      helpText: 'Fills in this field of the template. Leave empty to leave it to the signer.',
    }));
  } catch (error) {
    // Without its fields, a form would send the template with empty values.
    if (isTemporary(error)) throw toZapierError(z, error);
    return [];
  }
}

function getTemplateFields(template: JsonObject): { name: string; label: string | undefined }[] {
  // One list may have the fields of signers, and another those of the sender; a list may have one list for each file.
  const getEntries = (lists: readonly string[]) =>
    lists
      .map((name) => getValueAtPath(template, name))
      .filter(Array.isArray)
      .flat(2);
  const entries = getEntries(TEMPLATE_FIELDS.lists);
  const haveRoles = entries.some((entry) => isObject(entry) && getTextField(entry, TEMPLATE_FIELDS.signerRole));
  const roles = haveRoles ? getEntries(TEMPLATE_FIELDS.signerRoles) : [];
  const fields = entries.flatMap((entry: unknown) => {
    if (roles.includes(entry)) return [];
    if (typeof entry === 'string') return { name: entry, label: undefined };
    const inner = SIGNER_CONTAINERS.map((path) => getValueAtPath(entry, path)).find(isObject);
    const field = { ...(isObject(entry) ? entry : {}), ...inner };
    const name = getTextField(field, TEMPLATE_FIELDS.name);
    const kind = getTextField(field, TEMPLATE_FIELDS.kind) ?? '';
    if (name === undefined || TEMPLATE_FIELDS.signerKind.test(kind)) return [];
    return { name, label: getTextField(field, TEMPLATE_FIELDS.label) };
  });
  return fields.filter(({ name }, index) => fields.findIndex((other) => other.name === name) === index);
}

/** Reads the values as texts. @throws InputError for an object or several values: a signer would read "[object Object]". */
export function parseTemplateValues(input: Readonly<Record<string, unknown>>): { name: string; value: string }[] {
  return Object.keys(input)
    .filter((key) => key.startsWith(KEY_PREFIX))
    .flatMap((key) => {
      const name = key.slice(KEY_PREFIX.length);
      const { [key]: value } = readStepInput({ [key]: input[key] }, [{ key, label: toLabel(name), type: 'string' }]);
      return value === undefined ? [] : [{ name, value: String(value) }];
    });
}
