import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

const schemaCache = new WeakMap<object, StandardSchemaWithJSON>();

/** SDK schema that lists as this JSON and accepts every value: `callTool` checks arguments, with better errors. */
export function toPassthroughSchema(json: object): StandardSchemaWithJSON {
  let schema = schemaCache.get(json);
  if (!schema) {
    const toJson = () => ({ ...json });
    schema = {
      '~standard': {
        version: 1,
        vendor: 'docshare',
        validate: (value) => ({ value }),
        jsonSchema: { input: toJson, output: toJson },
      },
    };
    schemaCache.set(json, schema);
  }
  return schema;
}
