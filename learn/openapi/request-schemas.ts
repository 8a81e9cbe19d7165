import { getWritableFields } from '../../src/assumptions/writable-fields.ts';
import type { NamedOperation } from '../../src/operations/index.ts';
import { toProfileFields } from '../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { getDocumentedFields } from './documented-fields.ts';
import { createProvenance, type Json, toJsonSchema } from './json-schema.ts';
import type { OpenApiParameter } from './openapi-document.ts';

/** Returns the query parameters that were observed to work; the API document shows none (§4). */
export function getQueryParameters({ name }: NamedOperation, profile: ServiceProfile | undefined): OpenApiParameter[] {
  const { list } = profile?.operations[name] ?? {};
  if (!list) return [];
  const parametersByName = new Map<string, { does: string; values: string[] }>();
  const addParameter = (parameter: string, does: string, value?: string) => {
    const one = parametersByName.get(parameter) ?? { does, values: [] };
    if (value !== undefined) one.values.push(value);
    parametersByName.set(parameter, one);
  };
  for (const [key, does] of Object.entries(list.query)) {
    const [parameter = '', ...value] = key.split('=');
    if (does === 'narrows' || does === 'sorts')
      addParameter(parameter, `${does} the list`, value.length > 0 ? value.join('=') : undefined);
  }
  for (const parameter of list.next?.params ?? []) addParameter(parameter, 'selects the page');
  if (list.size.param !== undefined) addParameter(list.size.param, 'sets the page size');
  return [...parametersByName]
    .filter(([parameter]) => /^[\w@$.:[\]-]{1,64}$/.test(parameter))
    .map(([parameter, { does, values }]) => ({
      name: parameter,
      in: 'query',
      description: `It ${does}.`,
      schema: values.length > 0 ? { type: 'string', examples: values } : { type: ['string', 'integer'] },
      ...createProvenance('observed', { does }),
    }));
}

/** Returns the body of a write, as documented and as observed; undefined for GET and DELETE. */
export function getRequestBody(
  { name, operation }: NamedOperation,
  profile: ServiceProfile | undefined,
): Json | undefined {
  const [method] = operation.route.split(' ');
  if (method === 'GET' || method === 'DELETE') return undefined;
  const { properties, required } = getDocumentedFields(operation.input);
  const isInPath = (field: string) => operation.route.includes(`{${field}}`);
  const documented = Object.entries(properties).filter(([field]) => !isInPath(field));
  const acceptedSchema = profile?.operations[name]?.requestBody;
  const seen = toProfileFields(acceptedSchema)
    .filter((field) => documented.every(([documentedName]) => documentedName !== field.name))
    .map((field): [string, Json] => [field.name, toJsonSchema(field.schema)]);
  const readableFields = profile
    ? getWritableFields(profile, name).filter((field) => field.knownBy === 'observed' && field.schema)
    : [];
  const inferred = readableFields.map((field): [string, Json] => {
    const description = 'Observed only in responses: it may not be writable.';
    return [field.name, { ...toJsonSchema(field.schema ?? {}, 'inferred'), description }];
  });
  const requiredFields = required.filter((field) => !isInPath(field));
  const knownBy =
    documented.length > 0
      ? 'documented'
      : acceptedSchema
        ? 'observed'
        : readableFields.length > 0
          ? 'inferred'
          : 'unknown';
  const schema = {
    type: 'object',
    properties: Object.fromEntries([...documented, ...seen, ...inferred]),
    ...(requiredFields.length > 0 ? { required: requiredFields } : {}),
    ...createProvenance(knownBy, { others: 'unknown' }),
  };
  const media = operation.bodyEncoding === 'multipart' ? 'multipart/form-data' : 'application/json';
  return { ...(requiredFields.length > 0 ? { required: true } : {}), content: { [media]: { schema } } };
}
