import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';

/** String arguments of a prompt, by name. */
export type PromptArguments = Readonly<Record<string, { readonly description: string; readonly isRequired: boolean }>>;

export const required = (description: string) => ({ description, isRequired: true });
export const optional = (description: string) => ({ description, isRequired: false });

const schemas = new WeakMap<PromptArguments, StandardSchemaWithJSON>();

/** Schema that rejects missing, unknown and non-string arguments. */
export function toPromptSchema(args: PromptArguments): StandardSchemaWithJSON {
  let schema = schemas.get(args);
  if (!schema) {
    const names = Object.keys(args);
    const toJson = () => ({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(args).map(([name, { description }]) => [name, { type: 'string', description }]),
      ),
      required: names.filter((name) => args[name]?.isRequired),
    });
    schema = {
      '~standard': {
        version: 1,
        vendor: 'docshare',
        validate(value) {
          const input = isObject(value) ? value : {};
          const issues = [
            ...names
              .filter((name) => args[name]?.isRequired && input[name] === undefined)
              .map((name) => `${name} is missing`),
            ...Object.keys(input)
              .filter((name) => input[name] !== undefined && typeof input[name] !== 'string')
              .map((name) => `${JSON.stringify(name.slice(0, 64))} must be a string`),
            ...Object.keys(input)
              .filter((name) => !names.includes(name))
              .map((name) => `Unknown argument ${JSON.stringify(name.slice(0, 64))}. Arguments: ${names.join(', ')}`),
          ];
          return issues.length > 0 ? { issues: issues.map((message) => ({ message })) } : { value };
        },
        jsonSchema: { input: toJson, output: toJson },
      },
    };
    schemas.set(args, schema);
  }
  return schema;
}
