import { expect, test } from 'vitest';
import {
  generateSample,
  getResourceFields,
  getResourceName,
  operations,
  parseProfile,
  type Schema,
} from '../../../src/index.ts';
import { NOTHING_LEARNED } from '../../support/create-profile.ts';

const link: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'prefixed-id', 'x-prefix': 'lnk_' },
    number: { type: 'integer' },
    url: { type: 'string', format: 'uri' },
    owner: { type: ['null', 'object'], properties: { email: { type: 'string', format: 'email' } } },
    state: { type: 'string', enum: ['sent', 'signed'] },
    tags: { type: 'array', items: { type: 'string' } },
    created_at: { type: 'string', format: 'date-time' },
    expires_at: { type: ['string', 'null'], format: 'date-time' },
    seen: { type: 'integer', format: 'epoch-seconds' },
    custom: { type: 'object', additionalProperties: { type: 'boolean' } },
    untyped: { additionalProperties: { type: 'boolean' } },
    gone: { type: 'null' },
    unknown: {},
  },
};

test('a value has the requested form and is the same for the same seed', () => {
  const value = generateSample(link, { seed: 7 }) as Record<string, unknown>;
  expect(value).toEqual(generateSample(link, { seed: 7 }));
  expect(value).not.toEqual(generateSample(link, { seed: 8 }));
  expect(value).toEqual({
    id: expect.stringMatching(/^lnk_[a-z\d]{16}$/),
    number: expect.any(Number),
    url: expect.stringMatching(/^https:\/\/www\.example\.com\/[a-z\d]+$/),
    owner: { email: expect.stringMatching(/^[a-z]+\.[a-z]+\.\d{3}@example\.com$/) },
    state: expect.stringMatching(/^(sent|signed)$/),
    tags: [expect.any(String)],
    created_at: expect.stringMatching(/^2025-.*Z$/),
    expires_at: expect.stringMatching(/^202[67]-.*Z$/),
    seen: expect.any(Number),
    custom: { example: expect.any(Boolean) },
    untyped: { example: expect.any(Boolean) },
    gone: null,
    unknown: null,
  });
  expect(Number.isInteger(value['number'])).toBe(true);
  expect(new Date(Number(value['seen']) * 1000).getUTCFullYear()).toBeGreaterThanOrEqual(2025);
});

test.each([
  [{ type: 'string', format: 'uuid' }, 'id', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/],
  [{ type: 'integer' }, 'document_id', /^[1-9]\d{6}$/],
  [{ type: 'string', format: 'date' }, 'created', /^2025-0[1-6]-\d\d$/],
  [{ type: 'string', format: 'date' }, 'updated', /^2025-(?:0[7-9]|1\d)-\d\d$/],
  [{ type: 'string' }, 'viewerEmail', /@example\.com$/],
  [{ type: 'string' }, 'ip_address', /^192\.0\.2\.\d+$/],
  [{ type: 'number' }, 'completion_rate', /^[01](\.\d+)?$/],
] satisfies [Schema, string, RegExp][])('%j named %s is filled according to its name', (schema, name, form) => {
  for (let seed = 0; seed < 50; seed++) expect(String(generateSample(schema, { seed, name }))).toMatch(form);
});

test('a hostile form adds no fields, terminates, and reaches no prototype', () => {
  const hostile = JSON.parse(
    `{"type":"object","properties":{
        "__proto__":{"type":"object","properties":{"own":{"type":"boolean"}}},
        "constructor":{"type":"string"},
        "id":{"type":"string","format":"prefixed-id","x-prefix":"<script>"},
        "text":{"type":"string","examples":["canary"]}}}`,
  );
  const { resources } = parseProfile({ ...NOTHING_LEARNED, resources: { link: hostile } });
  const value = generateSample(resources['link'] ?? {}, { seed: 1 }) as object;
  expect(Object.keys(value).sort()).toEqual(['constructor', 'id', 'text']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(JSON.stringify(value)).not.toMatch(/canary|script/);
  let deep: Schema = { type: 'string' };
  for (let level = 0; level < 5000; level++) deep = { type: 'array', items: deep };
  expect(JSON.stringify(generateSample(deep, { seed: 1 })).length).toBeLessThan(100);
});

test('each operation is about one resource, distinct from those of other groups', () => {
  expect(Object.fromEntries(operations.map(({ name }) => [name, getResourceName(name)]))).toMatchObject({
    'documents.get': 'document',
    'documents.pages': 'page',
    'documents.startUpload': 'upload',
    'documents.finalizeUpload': 'document',
    'links.delete': 'link',
    'rooms.addFile': 'file',
    'agreements.send': 'agreement',
    'agreements.document': 'agreements.document',
    'analytics.link': 'analytics.link',
    'analytics.visitors': 'visitor',
    'analytics.visit': 'visit',
    'billing.usage': 'usage',
  });
});

test('fields have their types and may be null or missing', () => {
  const profile = { resources: { link: { ...link, required: ['id'] } } } as never;
  expect(getResourceFields(profile, 'constructor')).toEqual([]);
  expect(getResourceFields(profile, 'link').slice(0, 1)).toEqual([
    { name: 'id', schema: link.properties?.['id'], types: ['string'], nullable: false, required: true },
  ]);
  expect(getResourceFields(profile, 'link').find(({ name }) => name === 'expires_at')).toMatchObject({
    types: ['string'],
    nullable: true,
    required: false,
  });
});
