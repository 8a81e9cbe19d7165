import { EVENT_KINDS, isScopeDocumented } from '../../src/assumptions/index.ts';
import { type NamedOperation, operations } from '../../src/operations/index.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { getDocumentedFields, getPathParameters } from './documented-fields.ts';
import { getErrorResponses } from './error-responses.ts';
import { createExample, EXTENSION, known, toJsonSchema } from './json-schema.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.ts';
import { getQueryParameters, getRequestBody } from './request-schemas.ts';
import { getResourceSchemas } from './resource-schemas.ts';
import { getProvenance, getSuccessResponses } from './success-responses.ts';

const DESCRIPTION = `What stands here is told apart by \`${EXTENSION}\`: \`documented\` (the API document says it), \`seen\` (the service did it), \`concluded\` (from operations of the same kind), \`unknown\`.
Every object may have more fields, and every value more words, than were seen.`;

/**
 * An OpenAPI 3.1 document of the service: all operations of the API document, with what was learned of them. Without a
 * profile it holds what the document gives, and says what it leaves open.
 */
export function createOpenApiDocument(untrustedProfile: ServiceProfile | undefined): OpenApiDocument {
  const profile = untrustedProfile && (removeReferences(untrustedProfile) as ServiceProfile);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const named of operations) {
    const [method = '', path = ''] = named.operation.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(named, profile) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Docshare API',
      version: '1',
      description: DESCRIPTION,
      ...(profile ? { [EXTENSION]: { untrustedProfile: profile.learned } } : {}),
    },
    servers: [
      profile
        ? { url: profile.service }
        : { url: 'https://{host}/api/v1', variables: { host: { default: 'docshare.example' } } },
    ],
    security: [{ key: [] }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: event(kind, profile) }])),
    components: {
      schemas: getResourceSchemas(profile),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key of the workspace (§5).' },
      },
    },
  };
}

function describeOperation(named: NamedOperation, profile: ServiceProfile | undefined): OpenApiOperation {
  const { name, group, operation } = named;
  const { route, scope, effect } = operation;
  const parameters = [...getPathParameters(operation), ...getQueryParameters(named, profile)];
  const body = getRequestBody(named, profile);
  const scopeProvenance = isScopeDocumented(route)
    ? 'documented'
    : profile?.scopes.granted.includes(scope)
      ? 'seen'
      : 'unknown';
  return {
    operationId: name,
    summary: operation.title,
    description: `Needs the scope \`${scope}\` (${scopeProvenance}). ${summarizeProvenance(named, profile)}`,
    tags: [group],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...getSuccessResponses(named, profile), ...getErrorResponses(operation, profile) },
    ...known('documented', { scope: { name: scope, known: scopeProvenance }, effect }),
  };
}

/** What is known of its body and its answer, in words. */
function summarizeProvenance(named: NamedOperation, profile: ServiceProfile | undefined): string {
  const { input, output, route } = named.operation;
  const { answer: response, takes: acceptedSchema } = profile?.operations[named.name] ?? {};
  const getDocumentedNames = (schema: typeof output) => Object.keys(getDocumentedFields(schema).properties);
  const body = getDocumentedNames(input).some((field) => !route.includes(`{${field}}`))
    ? 'documented in part'
    : acceptedSchema
      ? 'seen'
      : 'unknown';
  const responseProvenance = response
    ? `${getProvenance(response)} (${response.seen})`
    : getDocumentedNames(output).length > 0
      ? 'documented in part'
      : 'unknown';
  return `${/^(GET|DELETE)/.test(route) ? '' : `Body: ${body}. `}Answer: ${responseProvenance}.`;
}

/** §6: a kind that the document names; what a delivery holds is not shown. */
function event(kind: string, profile: ServiceProfile | undefined): OpenApiOperation {
  const { event: seen } = profile?.facts ?? {};
  const schema = seen ? toJsonSchema(seen.body) : known('unknown');
  const example = seen ? createExample(seen.body) : {};
  return {
    operationId: kind,
    tags: ['webhooks'],
    requestBody: { content: { 'application/json': { schema, ...example } } },
    responses: { '2XX': { description: 'Taken' } },
    ...known('documented', {
      payload: seen ? 'seen' : 'unknown',
      ...(seen ? { signature: seen.signature } : {}),
    }),
  };
}

/**
 * A profile comes from elsewhere: a field that it calls `$ref` would lead readers of the document to whatever address or
 * file it names.
 */
function removeReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeReferences);
  if (typeof value !== 'object' || value === null) return value;
  const safeEntries = Object.entries(value).filter(([name]) => name !== '$ref');
  return Object.fromEntries(safeEntries.map(([name, inner]) => [name, removeReferences(inner)]));
}
