import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

const wireSchemas = new WeakMap<object, StandardSchemaWithJSON>();

/**
 * A schema as the SDK wants it, that lists as exactly this JSON and lets every value through: the arguments are checked in
 * `callTool`, where a refusal can say more than the SDK's own.
 */
export function wireSchema(json: object): StandardSchemaWithJSON {
  let schema = wireSchemas.get(json);
  if (!schema) {
    const list = () => ({ ...json });
    schema = {
      '~standard': {
        version: 1,
        vendor: 'docshare',
        validate: (value) => ({ value }),
        jsonSchema: { input: list, output: list },
      },
    };
    wireSchemas.set(json, schema);
  }
  return schema;
}
