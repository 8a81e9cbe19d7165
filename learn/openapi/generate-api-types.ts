import type { Json } from './json-schema.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.ts';
import { renderComment, renderKey, renderLiteral, renderMembers, renderType } from './typescript-types.ts';

const HEADER_COMMENT = `// Types of the API as its document describes it and as it was learned. Made by \`docshare learn --openapi\`: learn again
// rather than change it. Behind each field stands how it is known: documented, seen (in how many values), concluded or
// unknown. Fields that were never seen are \`unknown\`, and words in quotes are not all that a value may be.
`;

/** TypeScript types of an OpenAPI document: an interface for each resource, and what each operation takes and answers. */
export function generateApiTypes({ components, paths, webhooks }: OpenApiDocument): string {
  const resources = Object.entries(components.schemas).map(([name, schema]) => {
    const members = renderMembers(schema);
    return `export interface ${name} {\n${members === '' ? '  readonly [field: string]: unknown;\n' : members}}\n`;
  });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => renderOperation(`${method.toUpperCase()} ${path}`, one)),
  );
  const events = Object.entries(webhooks).map(
    ([kind, { post }]) =>
      `  readonly ${renderKey(kind)}: ${renderType(getBodySchema(post.requestBody), '  ')};\n`,
  );
  return [
    HEADER_COMMENT,
    ...resources,
    `/** What each operation takes (with the ids of its path) and answers. */\nexport interface Operations {\n${operations.join('')}}\n`,
    `/** What is delivered, by the kind of event. */\nexport interface Events {\n${events.join('')}}\n`,
  ].join('\n');
}

function renderOperation(
  route: string,
  { operationId, summary = '', parameters = [], requestBody, responses }: OpenApiOperation,
): string {
  const query = parameters.map(
    ({ name, required, schema }) =>
      `    readonly ${renderKey(name)}${required ? '' : '?'}: ${renderType(schema, '    ')};\n`,
  );
  const body = requestBody ? renderType(getBodySchema(requestBody), '    ') : undefined;
  // A list may take more than was seen; the ids of a path are all there are.
  const open =
    body === undefined && route.startsWith('GET') ? '    readonly [field: string]: unknown;\n' : '';
  const queryType = query.length > 0 ? `{\n${query.join('')}${open}    }` : undefined;
  const input =
    [queryType, body].filter((one) => one !== undefined).join(' & ') ||
    '{ readonly [field: string]: unknown }';
  const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
  return [
    renderComment(`${summary}.`, '  '),
    `  readonly ${renderKey(operationId)}: {\n`,
    `    readonly route: ${renderLiteral(route)};\n`,
    `    readonly input: ${input};\n`,
    `    readonly answer: ${success?.['content'] ? renderType(getBodySchema(success), '    ') : 'unknown'};\n`,
    '  };\n',
  ].join('');
}

/** The schema of a body or an answer, of whatever media type. */
function getBodySchema(message: Json | undefined): Json {
  const [first] = Object.values((message?.['content'] ?? {}) as Record<string, Json>);
  return (first?.['schema'] ?? {}) as Json;
}
