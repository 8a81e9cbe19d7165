import { STATUS_CODES } from 'node:http';
import type { NamedOperation } from '../../src/operations/index.ts';
import { getObjectTypeName } from '../../src/profile/profile-fields.ts';
import type { ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { updateAtPath } from '../infer/edit-schema.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { getDocumentedFields } from './documented-fields.ts';
import { createExample, createProvenance, type Json, type Provenance, toJsonSchema } from './json-schema.ts';

const JSON_MEDIA_TYPE = 'application/json';

/** Returns the success response: as observed with its status, otherwise as documented. */
export function getSuccessResponses(named: NamedOperation, profile: ServiceProfile | undefined): Record<string, Json> {
  const { name, operation } = named;
  const operationProfile = profile?.operations[name];
  const recordSchema = getRecordSchema(named);
  if (!operationProfile?.response)
    return {
      '2XX': {
        ...getDocumentedResponse(named, recordSchema),
        ...createProvenance(hasDocumentedFields(named) ? 'documented' : 'unknown'),
      },
    };
  const { response, list, item } = operationProfile;
  const path = list ? list.at : (item ?? []);
  const embedRecord = (bodySchema: Json) => (list ? { ...bodySchema, items: recordSchema } : recordSchema);
  const holdsRecord = operation.responseKind !== 'file' && operation.effect !== 'delete' && (list || item);
  const bodySchema = response.body && toJsonSchema(response.body, getProvenance(response));
  return {
    [response.status]: toOpenApiResponse(
      response,
      bodySchema && holdsRecord ? updateAtPath(bodySchema, path, embedRecord) : bodySchema,
    ),
  };
}

/** Converts an observed response. */
export function toOpenApiResponse(response: ResponseShape, bodySchema: Json | undefined): Json {
  const { status, media, headers, body } = response;
  const headerSchemas = Object.entries(headers).map(([name, schema]) => [name, { schema: toJsonSchema(schema) }]);
  const content = omitUndefined({ schema: bodySchema, ...(body && createExample(body)) });
  return omitUndefined({
    description: STATUS_CODES[status] ?? `Status ${status}`,
    headers: headerSchemas.length > 0 ? Object.fromEntries(headerSchemas) : undefined,
    content: media === null ? undefined : { [media]: content },
    ...createProvenance(getProvenance(response), { seen: response.seen }),
  });
}

export function getProvenance({ seen }: ResponseShape): Provenance {
  return seen > 0 ? 'observed' : 'inferred';
}

/** §4 documents a URL for files, and the contents of other responses but not their envelope. */
function getDocumentedResponse({ operation }: NamedOperation, recordSchema: Json): Json {
  if (operation.effect === 'delete')
    return { description: 'The object was removed. The response body is not documented.' };
  if (operation.responseKind === 'file')
    return { description: 'A short-lived URL of the file. Its format is not documented.' };
  if (operation.responseKind === 'list') {
    const description = 'A list. Its envelope and pagination are not documented.';
    return {
      description,
      content: { [JSON_MEDIA_TYPE]: { schema: createProvenance('unknown', { entries: recordSchema }) } },
    };
  }
  return { description: 'Success', content: { [JSON_MEDIA_TYPE]: { schema: recordSchema } } };
}

function hasDocumentedFields({ operation }: NamedOperation): boolean {
  return operation.responseKind === 'item' && getDocumentedFields(operation.output).required.length > 0;
}

/** Returns the schema of the object in a response, with the documented required fields. */
function getRecordSchema({ name, operation }: NamedOperation): Json {
  const reference = { $ref: `#/components/schemas/${getObjectTypeName(name)}` };
  const { required } = getDocumentedFields(operation.output);
  return required.length > 0 ? { allOf: [reference, { required }] } : reference;
}
