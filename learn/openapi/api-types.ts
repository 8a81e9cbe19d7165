import type { Described, ServiceDocument } from './document.ts';
import type { Json } from './form.ts';
import { comment, key, literal, membersText, typeText } from './type-text.ts';

const HEAD = `// Types of the API as its document describes it and as it was learned. Made by \`docshare learn --openapi\`: learn again
// rather than change it. Behind each field stands how it is known: documented, seen (in how many values), concluded or
// unknown. Fields that were never seen are \`unknown\`, and words in quotes are not all that a value may be.
`;

/** TypeScript types of an OpenAPI document: an interface for each resource, and what each operation takes and answers. */
export function apiTypes({ components, paths, webhooks }: ServiceDocument): string {
  const resources = Object.entries(components.schemas).map(([name, schema]) => {
    const members = membersText(schema);
    return `export interface ${name} {\n${members === '' ? '  readonly [field: string]: unknown;\n' : members}}\n`;
  });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => operationText(`${method.toUpperCase()} ${path}`, one)),
  );
  const events = Object.entries(webhooks).map(
    ([kind, { post }]) => `  readonly ${key(kind)}: ${typeText(getBodySchema(post.requestBody), '  ')};\n`,
  );
  return [
    HEAD,
    ...resources,
    `/** What each operation takes (with the ids of its path) and answers. */\nexport interface Operations {\n${operations.join('')}}\n`,
    `/** What is delivered, by the kind of event. */\nexport interface Events {\n${events.join('')}}\n`,
  ].join('\n');
}

function operationText(
  route: string,
  { operationId, summary = '', parameters = [], requestBody, responses }: Described,
): string {
  const query = parameters.map(
    ({ name, required, schema }) =>
      `    readonly ${key(name)}${required ? '' : '?'}: ${typeText(schema, '    ')};\n`,
  );
  const body = requestBody ? typeText(getBodySchema(requestBody), '    ') : undefined;
  // A list may take more than was seen; the ids of a path are all there are.
  const open =
    body === undefined && route.startsWith('GET') ? '    readonly [field: string]: unknown;\n' : '';
  const own = query.length > 0 ? `{\n${query.join('')}${open}    }` : undefined;
  const input =
    [own, body].filter((one) => one !== undefined).join(' & ') || '{ readonly [field: string]: unknown }';
  const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
  return [
    comment(`${summary}.`, '  '),
    `  readonly ${key(operationId)}: {\n`,
    `    readonly route: ${literal(route)};\n`,
    `    readonly input: ${input};\n`,
    `    readonly answer: ${success?.['content'] ? typeText(getBodySchema(success), '    ') : 'unknown'};\n`,
    '  };\n',
  ].join('');
}

/** The schema of a body or an answer, of whatever media type. */
function getBodySchema(holder: Json | undefined): Json {
  const [first] = Object.values((holder?.['content'] ?? {}) as Record<string, Json>);
  return (first?.['schema'] ?? {}) as Json;
}
