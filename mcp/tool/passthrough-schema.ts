import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

const schemaCache = new WeakMap<object, StandardSchemaWithJSON>();

/**
 * A schema as the SDK wants it, that lists as exactly this JSON and lets every value through: the arguments are checked in
 * `callTool`, where a refusal can say more than the SDK's own.
 */
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
