import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { type NamedOperation, operations } from '../../src/operations/index.ts';
import { getListName, type Operation } from '../../src/operations/operation.ts';
import type { ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { Rejection, type RejectionReason } from '../base/rejection.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { renderRejection } from '../render/error-response.ts';
import { renderLearnedError } from '../render/learned/learned-error.ts';
import { renderList } from '../render/list-response.ts';
import { renderObject } from '../render/object-response.ts';
import type { HttpResponse } from '../render/reply.ts';

type Json = Record<string, unknown>;

/** A placeholder record; its schema replaces it in the sample responses. */
const SAMPLE_VIEW = { object: 'record', id: 'sample' };

/**
 * Returns an OpenAPI 3.1 document of the running sandbox. Operations come from the catalog; envelopes,
 * statuses and errors from the functions that render the profile's responses.
 */
export function createSandboxOpenApi(input: {
  url: string;
  profile: SandboxProfile;
  serviceProfile?: ServiceProfile | null;
}): Json {
  const paths: Record<string, Json> = {};
  for (const { name, operation } of operations) {
    const [method = '', path = ''] = operation.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation({ name, operation }, input) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Docshare sandbox', version: '1', description: 'The API of the sandbox under its current profile.' },
    servers: [{ url: input.url }],
    security: [{ key: [] }],
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
}

function describeOperation(
  { name, operation }: Pick<NamedOperation, 'name' | 'operation'>,
  { profile, serviceProfile }: { profile: SandboxProfile; serviceProfile?: ServiceProfile | null },
): Json {
  const method = operation.route.split(' ')[0] ?? '';
  const { id: _, ...shape } = operation.input.shape;
  const takesId = operation.route.includes('{id}');
  const rest = takesId ? z.looseObject(shape) : operation.input;
  const takesBody = method !== 'GET' && method !== 'DELETE';
  return {
    operationId: name,
    summary: operation.title,
    tags: [name.split('.')[0]],
    'x-scope': operation.scope,
    ...(takesId ? { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] } : {}),
    ...(takesBody ? { requestBody: { content: getRequestContent(operation, toJsonSchema(rest, 'input')) } } : {}),
    responses: {
      ...(getLearnedSuccess(serviceProfile?.operations[name]?.response) ?? getSuccessResponse(operation, profile)),
      ...getErrorResponses(operation, { profile, serviceProfile }),
    },
  };
}

/** §4: the multipart form takes a file; the JSON variant takes it inline. */
function getRequestContent(operation: Operation, schema: Json): Json {
  const form = {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary' }, name: { type: 'string' } },
  };
  return operation.bodyEncoding === 'multipart'
    ? { 'multipart/form-data': { schema: form }, 'application/json': { schema: { type: 'object' } } }
    : { 'application/json': { schema } };
}

function getSuccessResponse(operation: Operation, profile: SandboxProfile): Json {
  if (operation.responseKind === 'file') return getFileResponse(profile);
  const url = new URL('http://sandbox.invalid/');
  const reply =
    operation.responseKind === 'list'
      ? renderList({ entries: [SAMPLE_VIEW], name: getListName(operation), url, profile })
      : renderObject({ view: SAMPLE_VIEW, operation, profile });
  const record = operation.responseKind === 'list' ? { type: 'object' } : toJsonSchema(operation.output, 'output');
  return toOpenApiResponse(reply, record);
}

function getFileResponse({ download, contentType }: SandboxProfile): Json {
  if (download === 'bytes') return { 200: { description: 'The file', content: { 'application/octet-stream': {} } } };
  if (download.startsWith('redirect')) {
    const headers = { location: { schema: { type: 'string', format: 'uri' } } };
    return { [download.slice(-3)]: { description: 'A short-lived URL of the file', headers } };
  }
  return {
    200: { description: 'A short-lived URL of the file', content: { [contentType]: { schema: { type: 'object' } } } },
  };
}

function getLearnedSuccess(responseShape: ResponseShape | undefined): Json | undefined {
  if (!responseShape) return undefined;
  const { status, media, body } = responseShape;
  const content = media === null ? {} : { content: { [media]: { schema: body ?? { type: 'string' } } } };
  return { [status]: { description: STATUS_CODES[status] ?? String(status), ...content } };
}

/** Several reasons can share a status; the document describes it once. */
function getErrorResponses(
  operation: Operation,
  { profile, serviceProfile }: { profile: SandboxProfile; serviceProfile?: ServiceProfile | null | undefined },
): Json {
  const reasons: readonly RejectionReason[] = [
    'wrongKey',
    'missingScope',
    ...(operation.route.includes('{id}') ? (['unknownId'] as const) : []),
    ...(operation.effect === 'read' ? [] : (['badBody', 'conflict', 'tooLarge'] as const)),
    'limited',
  ];
  const render = (rejection: Rejection) =>
    (serviceProfile && renderLearnedError({ serviceProfile, profile }, rejection)) ||
    renderRejection(rejection, profile);
  const responses = reasons.map((reason) =>
    toOpenApiResponse(render(new Rejection(reason, 'Why the request was rejected')), {}),
  );
  return Object.assign({}, ...responses);
}

function toOpenApiResponse({ status, headers, body }: HttpResponse, record: Json): Json {
  const description = STATUS_CODES[status] ?? String(status);
  const type = headers['content-type'];
  if (typeof body !== 'string' || body === '' || type === undefined) return { [status]: { description } };
  const schema = type.includes('json') ? toExampleSchema(JSON.parse(body), record) : { type: 'string' };
  return { [status]: { description, content: { [type.split(';')[0] ?? type]: { schema } } } };
}

/** Returns a schema of the sample response, with the record's schema instead of the sample. */
function toExampleSchema(value: unknown, record: Json): Json {
  if (Array.isArray(value))
    return { type: 'array', items: value.length === 0 ? {} : toExampleSchema(value[0], record) };
  if (typeof value === 'object' && value !== null) {
    if (Object.values(value).includes(SAMPLE_VIEW.id)) return record;
    const properties = Object.entries(value).map(([name, entry]) => [name, toExampleSchema(entry, record)]);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  // A value that is null here may be set in other responses.
  if (value === null) return {};
  return { type: typeof value };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // An ID is a string or an integer; the bigint among its types would allow anything.
      if (jsonSchema.anyOf) jsonSchema.anyOf = jsonSchema.anyOf.filter((one) => Object.keys(one).length > 0);
    },
  });
  return described;
}
