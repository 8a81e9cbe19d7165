import { EVENT_KINDS, isScopeDocumented } from '../../src/assumptions/index.ts';
import { type NamedOperation, operations } from '../../src/operations/index.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { getDocumentedFields, getPathParameters } from './documented-fields.ts';
import { getErrorResponses } from './error-responses.ts';
import { createExample, createProvenance, PROVENANCE_EXTENSION, toJsonSchema } from './json-schema.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.ts';
import { getQueryParameters, getRequestBody } from './request-schemas.ts';
import { getResourceSchemas } from './resource-schemas.ts';
import { getProvenance, getSuccessResponses } from './success-responses.ts';

const DESCRIPTION = `\`${PROVENANCE_EXTENSION}\` shows the source of each part: \`documented\` (in the API document), \`observed\` (in responses of the service), \`inferred\` (from other operations), \`unknown\`.
Objects may have more fields, and fields may have more values, than were observed.`;

/**
 * Creates an OpenAPI 3.1 document: all operations of the API document, with what was learned about them. Without a profile
 * it contains only what the API document says and marks the rest as unknown.
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
      ...(profile ? { [PROVENANCE_EXTENSION]: { learned: profile.learned } } : {}),
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
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key of the workspace (§5).' } },
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
      ? 'observed'
      : 'unknown';
  return {
    operationId: name,
    summary: operation.title,
    description: `Needs the scope \`${scope}\` (${scopeProvenance}). ${summarizeProvenance(named, profile)}`,
    tags: [group],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...getSuccessResponses(named, profile), ...getErrorResponses(operation, profile) },
    ...createProvenance('documented', { scope: { name: scope, known: scopeProvenance }, effect }),
  };
}

function summarizeProvenance(named: NamedOperation, profile: ServiceProfile | undefined): string {
  const { input, output, route } = named.operation;
  const { response, requestBody: acceptedSchema } = profile?.operations[named.name] ?? {};
  const getDocumentedNames = (schema: typeof output) => Object.keys(getDocumentedFields(schema).properties);
  const body = getDocumentedNames(input).some((field) => !route.includes(`{${field}}`))
    ? 'documented in part'
    : acceptedSchema
      ? 'observed'
      : 'unknown';
  const responseProvenance = response
    ? `${getProvenance(response)} (${response.seen})`
    : getDocumentedNames(output).length > 0
      ? 'documented in part'
      : 'unknown';
  return `${/^(GET|DELETE)/.test(route) ? '' : `Body: ${body}. `}Response: ${responseProvenance}.`;
}

/** §6: the API document names the event kinds but not the payload. */
function event(kind: string, profile: ServiceProfile | undefined): OpenApiOperation {
  const { event: seen } = profile?.facts ?? {};
  const schema = seen ? toJsonSchema(seen.body) : createProvenance('unknown');
  const example = seen ? createExample(seen.body) : {};
  return {
    operationId: kind,
    tags: ['webhooks'],
    requestBody: { content: { 'application/json': { schema, ...example } } },
    responses: { '2XX': { description: 'Accepted' } },
    ...createProvenance('documented', {
      payload: seen ? 'observed' : 'unknown',
      ...(seen ? { signature: seen.signature } : {}),
    }),
  };
}

/** Removes `$ref` from an untrusted profile: it would make tools load any URL or file that it names. */
function removeReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeReferences);
  if (typeof value !== 'object' || value === null) return value;
  const safeEntries = Object.entries(value).filter(([name]) => name !== '$ref');
  return Object.fromEntries(safeEntries.map(([name, inner]) => [name, removeReferences(inner)]));
}
