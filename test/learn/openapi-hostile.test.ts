import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Schema, ServiceProfile } from '../../src/index.ts';
import { createFolderForFile } from '../support/cleanup.ts';
import { compile } from '../support/compile-types.ts';
import { learnedProfile, object, writeProfile } from '../support/learned-service.ts';
import { runLearnCommand } from '../support/run-learn.ts';
import { texts } from './texts.ts';

const folder = createFolderForFile('docshare-openapi-');

const NAMES = [
  '*/ export const pwned = 1; /*',
  '"; process.exit(1); //',
  `\`\${process.exit(1)}\``,
  'a\nb\r\u2028c',
  '\u202eevil',
  '</script>',
  '\\u0041',
  '__proto__',
  'constructor',
  'class',
  '',
  '0',
  'a]: never; [x: string',
  '$ref',
];

function hostile(): ServiceProfile {
  const base = learnedProfile('https://api.example.com/api/v1');
  const fields = Object.fromEntries(
    NAMES.map((name): [string, Schema] => [
      name,
      { type: ['string', 'null'], format: name, enum: [name, null], 'x-prefix': name },
    ]),
  );
  const form: Schema = { type: 'object', properties: fields };
  return {
    ...base,
    resources: Object.fromEntries(
      [...NAMES, 'link', 'operations', 'events', 'readonly-array', 'blob'].map((name) => [name, form]),
    ),
    operations: {
      ...base.operations,
      'links.create': { ...base.operations['links.create'], requestBody: form },
      'links.list': {
        response: { status: 200, media: 'text/x', headers: { '`x`': { type: 'string' } }, body: form, seen: 1 },
        list: { at: NAMES, size: { param: '*/' }, query: Object.fromEntries(NAMES.map((name) => [name, 'narrows'])) },
      },
    },
    rejections: { unknownId: { status: 404, media: '__proto__/x', headers: {}, body: form, seen: 1 } },
  };
}

/** Writes the OpenAPI document and the types of a profile, and returns the text of the document. */
async function generate(profile: ServiceProfile): Promise<string> {
  writeProfile(folder, profile);
  const { code, printed } = await runLearnCommand(['--openapi', '--out', folder], { env: {} });
  expect([code, printed]).toEqual([0, expect.any(String)]);
  return readFileSync(join(folder, 'docshare.openapi.json'), 'utf8');
}

test('unusual names remain names', async () => {
  await generate(hostile());
  expect(readFileSync(join(folder, 'docshare.api.d.ts'), 'utf8')).not.toMatch(/[^\n\x20-\x7e·]/);
  expect(await compile(folder, texts.importTypeLinkDocshare)).toBe('');
});

test('no field name creates a reference', async () => {
  const answer = {
    media: 'application/json',
    headers: {},
    body: { type: 'object' as const, properties: { $ref: { type: 'string' as const } } },
    seen: 1,
  };
  const base = hostile();
  const profile = {
    ...base,
    operations: { ...base.operations, 'rooms.list': { response: { ...answer, status: 200 } } },
    rejections: { ...base.rejections, badBody: { ...answer, status: 422 } },
  };
  const references: unknown[] = [];
  JSON.parse(await generate(profile), (name, value) => {
    if (name === '$ref') references.push(value);
    return value;
  });
  expect(references.filter((one) => !/^#\/components\/schemas\/\w+$/.test(String(one)))).toEqual([]);
});

test('a schema of any depth and size is written', async () => {
  const deep = JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(60)}{}${'}}'.repeat(60)}`) as Schema;
  const wide = object(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, { type: 'string' }])));
  const { components } = JSON.parse(await generate({ ...hostile(), resources: { link: deep, room: wide } }));
  expect(JSON.stringify(components.schemas['Link'])).toContain('"unknown"');
  expect(Object.keys(components.schemas['Room'].properties)).toHaveLength(20_000);
});
