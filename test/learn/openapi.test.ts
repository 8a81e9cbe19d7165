import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operations, type Schema } from '../../src/index.ts';
import { createFolderForFile } from '../support/cleanup.ts';
import { compile } from '../support/compile-types.ts';
import { learnedProfile, writeProfile } from '../support/learned-service.ts';
import { runLearnCommand } from '../support/run-learn.ts';
import { texts } from './texts.ts';

type Json = Record<string, unknown>;
const folder = createFolderForFile('docshare-openapi-');
const profile = learnedProfile('https://api.example.com/api/v1');
const OPENAPI_FILE = 'docshare.openapi.json';

/** The OpenAPI document that the command writes. */
async function read(learned?: typeof profile): Promise<Json> {
  const out = mkdtempSync(join(folder, 'read-'));
  if (learned) writeProfile(out, learned);
  await runLearnCommand(['--openapi', '--out', out], { env: {} });
  return JSON.parse(readFileSync(join(out, OPENAPI_FILE), 'utf8'));
}

/** The value at a path of names. */
function at(json: unknown, ...names: string[]): unknown {
  return names.reduce((one, name) => (one as Json | undefined)?.[name], json);
}

/** Every object in a document. */
function objects(json: unknown): Json[] {
  if (Array.isArray(json)) return json.flatMap(objects);
  if (typeof json !== 'object' || json === null) return [];
  return [json as Json, ...Object.values(json).flatMap(objects)];
}

describe.each([
  ['without a profile', undefined],
  ['with a profile', profile],
])('%s', (_, learned) => {
  test('the document has every operation by name, with the IDs of its path and a response', async () => {
    const document = await read(learned);
    for (const { name, operation } of operations) {
      const [method = '', path = ''] = operation.route.split(' ');
      const one = at(document, 'paths', path, method.toLowerCase()) as Json;
      expect(one, name).toMatchObject({
        operationId: name,
        'x-docshare': { known: 'documented', scope: { name: operation.scope } },
      });
      const ids = ((one['parameters'] ?? []) as Json[]).filter((parameter) => parameter['in'] === 'path');
      expect(ids.map((id) => id['name'])).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id));
      expect(Object.keys(one['responses'] as Json).join(' ')).toMatch(/(^| )2/);
      for (const answer of Object.values(one['responses'] as Json)) expect(answer).toHaveProperty('description');
    }
  });

  test('each reference resolves, and each schema is valid', async () => {
    const document = await read(learned);
    const schemas = at(document, 'components', 'schemas') as Json;
    for (const { $ref } of objects(document))
      if ($ref !== undefined) expect(schemas).toHaveProperty([String($ref).replace('#/components/schemas/', '')]);
    for (const schema of Object.values(schemas)) expect(() => z.fromJSONSchema(schema as never)).not.toThrow();
  });

  test('each field and each response says how it is known', async () => {
    const document = await read(learned);
    for (const one of objects(document)) {
      const { properties, responses } = one as { properties?: Json; responses?: Json };
      for (const known of [...Object.values(properties ?? {}), ...Object.values(responses ?? {})])
        if (!objects(known).some((inner) => '$ref' in inner || inner['description'] === 'Accepted'))
          expect(known).toMatchObject({
            'x-docshare': { known: expect.stringMatching(/^(documented|observed|inferred|unknown)$/) },
          });
    }
  });
});

test('without a profile no field is marked as observed, and open questions of the API document are marked', async () => {
  const document = await read();
  expect(JSON.stringify(document)).not.toMatch(/"known":"(observed|inferred)"/);
  expect(at(document, 'components', 'schemas', 'Room')).toEqual({
    type: 'object',
    properties: {},
    'x-docshare': { known: 'unknown', others: 'unknown' },
  });
  const url = at(document, 'components', 'schemas', 'Link', 'properties', 'url');
  expect(url).toMatchObject({ type: 'string', 'x-docshare': { known: 'documented' } });
  const answer = at(document, 'paths', '/links', 'get', 'responses', '2XX');
  expect(answer).toMatchObject({ 'x-docshare': { known: 'unknown' } });
});

test('with a profile, observed fields, responses, queries and rejections are added to the documented ones', async () => {
  const document = await read(profile);
  const link = at(document, 'components', 'schemas', 'Link', 'properties') as Json;
  expect(link['url']).toMatchObject({ type: 'string', format: 'uri', 'x-docshare': { known: 'documented' } });
  expect(link['visitor_cap']).toEqual({ type: ['integer', 'null'], 'x-docshare': { known: 'observed', seen: 7 } });
  const words = at(document, 'components', 'schemas', 'Agreement', 'properties', 'stage', 'x-docshare', 'words');
  expect(words).toEqual(['draft', 'sent', 'signed']);
  const list = at(document, 'paths', '/links', 'get') as Json;
  const textOrNumber = { type: ['string', 'integer'] };
  expect((list['parameters'] as Json[]).map(({ name, schema }) => [name, schema])).toEqual([
    ['label', textOrNumber],
    ['sort', { type: 'string', examples: ['-created_at'] }],
    ...['after', 'per_page'].map((name) => [name, textOrNumber]),
  ]);
  expect(at(list, 'responses', '200', 'headers', 'x-request-id')).toEqual({ schema: expect.anything() });
  const shown = at(list, 'responses', '200', 'content', 'application/json') as Json;
  expect(shown['example']).toHaveProperty('rows');
  expect(at(shown, 'schema', 'properties', 'rows', 'items')).toEqual({ $ref: '#/components/schemas/Link' });
  const update = at(document, 'paths', '/links/{id}', 'patch', 'responses') as Json;
  expect(update['200']).toMatchObject({ 'x-docshare': { known: 'inferred', seen: 0 } });
  expect(update['200']).not.toHaveProperty('headers');
  const problem = { 'application/problem+json': {} };
  expect(update['404']).toMatchObject({ description: 'Not Found: unknown ID', content: problem });
  expect(at(document, 'paths', '/links/{id}', 'delete', 'responses', '204')).not.toHaveProperty('content');
  const made = at(document, 'paths', '/links', 'post', 'requestBody', 'content', 'application/json', 'schema') as Json;
  expect(made['properties']).toMatchObject({
    document_id: { 'x-docshare': { known: 'documented' } },
    visitor_cap: { 'x-docshare': { known: 'observed' } },
  });
});

test('a field that was always empty is unknown, and one seen only in responses is inferred for a body', async () => {
  const nothing = {
    type: 'object' as const,
    properties: { gone: { type: 'null' as const }, title: { type: 'string' as const } },
  };
  const document = await read({ ...profile, resources: { ...profile.resources, room: nothing } });
  expect(at(document, 'components', 'schemas', 'Room', 'properties', 'gone')).toEqual({
    'x-docshare': { known: 'unknown', only: 'null' },
  });
  const taken = at(document, 'paths', '/rooms', 'post', 'requestBody', 'content', 'application/json', 'schema') as Json;
  expect(taken).toMatchObject({
    properties: { title: { type: 'string', 'x-docshare': { known: 'inferred' } } },
    'x-docshare': { known: 'inferred' },
  });
});

test('each example is generated and matches its schema', async () => {
  const document = await read(profile);
  const schemas = at(document, 'components', 'schemas') as Json;
  const whole = (json: unknown): unknown => {
    if (Array.isArray(json)) return json.map(whole);
    if (typeof json !== 'object' || json === null) return json;
    const { $ref, ...rest } = json as Json;
    if ($ref !== undefined) return whole(schemas[String($ref).replace('#/components/schemas/', '')]);
    return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, whole(inner)]));
  };
  const shown = objects(document).filter((one) => 'example' in one);
  expect(shown.length).toBeGreaterThan(5);
  for (const { schema, example } of shown)
    expect(z.fromJSONSchema(whole(schema) as never).safeParse(example).error).toBeUndefined();
});

test('the types extend those of the client, and reject typos and values of another type', async () => {
  writeProfile(folder, profile);
  const { printed } = await runLearnCommand(['--openapi', '--out', folder], { env: {} });
  expect(printed).toContain(`  ${join(folder, OPENAPI_FILE)}\n  ${join(folder, 'docshare.api.d.ts')}\n`);
  const compilerOutput = await compile(
    folder,
    `import type { Agreement, Client, Link, LinkCreateParams } from 'docshare';
import type { Events } from './docshare.api.d.ts';
declare const client: Client;
export const show = async (link: Link) => {
  const id: string = link.id;
  const cap: number | null | undefined = link.visitor_cap;
  const record: Record<string, unknown> = { ...link };
  // @ts-expect-error: a misread field
  console.log(link.vistor_cap);
  if ('seats' in link) record['seats'] = link.seats;
  const { url, label } = await client.links.create({ document_id: id, visitor_cap: 3, extra: { brand_new: 1 } });
  for await (const { email, score } of client.contacts.list({ per_page: 5, other: true })) console.log(email, score);
  return [id, cap, url, label] satisfies unknown[];
};
export const stage: Agreement['stage'] = 'archived';
export const event: keyof Events = 'link.viewed';
// @ts-expect-error: a number
export const wrong: LinkCreateParams = { document_id: 'dc-1', visitor_cap: 'five' };
// @ts-expect-error: a typo of a learned field
export const typo: LinkCreateParams = { document_id: 'dc-1', vistor_cap: 5 };
`,
  );
  expect(compilerOutput).toBe('');
});

test("a service with numeric IDs, or without documented fields, does not contradict the client's types", async () => {
  const numbered = join(folder, 'numbered');
  mkdirSync(numbered);
  const { properties, ...link } = profile.resources['link'] ?? {};
  const id = { type: 'integer' as const };
  const url = { type: ['string', 'null'] as const };
  const odd = { ...link, properties: { ...properties, id, document_id: id, url } } as Schema;
  writeProfile(numbered, { ...profile, resources: { ...profile.resources, link: odd, client: odd, hooks: odd } });
  await runLearnCommand(['--openapi', '--out', numbered], { env: {} });
  const program = `import type { Client, Link } from 'docshare';
import type {} from './docshare.api.d.ts';
export const read = (link: Link): [number, string | number | undefined, string | undefined] => [link.id, link.document_id, link.url];
// @ts-expect-error: a resource of that name adds nothing to the client
export const label = (client: Client) => client.label;
`;
  expect(await compile(numbered, program)).toBe('');
});

describe('docshare learn --openapi', () => {
  const run = async (env: Record<string, string>, out: string) => {
    const { code, printed } = await runLearnCommand(['--openapi', '--out', out], { env });
    return { code, printed };
  };

  test('makes no calls and writes the facts of the existing profile into the documents', async () => {
    const path = writeProfile(folder, profile);
    const { code, printed } = await run({ DOCSHARE_PROFILE: path }, join(folder, 'named'));
    expect({ code, printed }).toEqual({
      code: 0,
      printed: expect.stringMatching(/learned from https:\/\/api\.example\.com on 2026-11-21/),
    });
    expect(JSON.parse(readFileSync(join(folder, 'named', OPENAPI_FILE), 'utf8'))).toEqual(await read(profile));
    expect((await run({}, folder)).printed).toContain(`Using ${path}`);
  });

  test('without a profile writes what the API document defines, and reports it', async () => {
    const { code, printed } = await run({}, join(folder, 'plain'));
    expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining(texts.whatApiDocumentSays) });
    expect(JSON.parse(readFileSync(join(folder, 'plain', OPENAPI_FILE), 'utf8'))).toEqual(await read());
  });

  test('rejects options that make calls', async () => {
    const { code, printed } = await runLearnCommand(['--openapi', '--write'], { env: {} });
    expect(code).toBe(2);
    expect(printed).toMatch(texts.openapiMakesNoCalls);
  });

  test('reports a profile that cannot be read', async () => {
    expect(await run({ DOCSHARE_PROFILE: join(folder, 'none.json') }, folder)).toEqual({
      code: 2,
      printed: expect.stringMatching(/can't be read \(ENOENT\)/),
    });
  });
});

test('a folder that is not writable is rejected with a message', async () => {
  const { code, printed } = await runLearnCommand(['--openapi', '--out', '/dev/null/x'], { env: {} });
  expect([code, printed]).toEqual([2, expect.stringMatching(/can't be written to \(ENOTDIR\)/)]);
});
