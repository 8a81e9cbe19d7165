import type { ResponseShape, Schema, ServiceProfile } from '../../src/index.ts';
import type { JsonType } from '../../src/profile/json-schema.ts';

/** A profile of a service without learned facts. */
export const NOTHING_LEARNED: ServiceProfile = {
  docshareProfile: 1,
  service: 'https://api.example.com/api/v1',
  learned: { at: '2026-11-21T12:00:00Z', by: '0.1.0', calls: 12, mode: 'write' },
  scopes: { granted: [], missing: [] },
  facts: {},
  operations: {},
  resources: {},
  rejections: {},
};

/** Returns the schema of values from the same place. */
export function createSchema(...values: readonly unknown[]): Schema {
  const types = [...new Set(values.map(typeOf))];
  const objects = values.filter((value): value is Record<string, unknown> => typeOf(value) === 'object');
  const names = [...new Set(objects.flatMap((value) => Object.keys(value)))];
  const lists = values.filter((value) => Array.isArray(value)).flat();
  return {
    type: types.length === 1 ? (types[0] as JsonType) : types,
    ...(objects.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            names.map((name) => [
              name,
              createSchema(...objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : []))),
            ]),
          ),
          required: names.filter((name) => objects.every((value) => Object.hasOwn(value, name))),
        }),
    ...(lists.length === 0 ? {} : { items: { ...createSchema(...lists), 'x-seen': lists.length } }),
  };
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean' | 'object';
}

/** Returns a response as the learner infers it from several responses to the same request. */
export function createResponseShape(
  ...replies: readonly { status: number; headers: Readonly<Record<string, string>>; body: unknown }[]
): ResponseShape {
  const [first] = replies;
  if (!first) throw new Error('An answer is learned from one reply at least');
  const full = first.headers['content-type'];
  const media = full?.split(';')[0] ?? null;
  const texts = replies.map(({ body }) => body).filter((body) => typeof body === 'string');
  const headers = Object.keys(Object.assign({}, ...replies.map((reply) => reply.headers)))
    .map((name) => name.toLowerCase())
    .filter((name) => name !== 'content-type');
  return {
    status: first.status,
    media,
    ...(full?.includes(';') ? { contentType: full } : {}),
    headers: Object.fromEntries(headers.map((name) => [name, { type: 'string' }])),
    ...(media?.includes('json') ? { body: createSchema(...texts.map((text) => JSON.parse(text))) } : {}),
    seen: replies.length,
  };
}
