import { z } from 'zod';

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const;

/** Formats beyond JSON Schema's own: times by unit, and forms of IDs. Unknown formats are ignored. */
export const VALUE_FORMATS = [
  'date-time',
  'date',
  'epoch-seconds',
  'epoch-ms',
  'uri',
  'email',
  'uuid',
  'prefixed-id',
  'digits',
  'opaque-id',
] as const;
export type ValueFormat = (typeof VALUE_FORMATS)[number];

/**
 * The subset of JSON Schema 2020-12 that responses need, valid as is in an OpenAPI 3.1 document. It contains
 * no value of the account: `examples` are generated, and `enum` holds only words known to the project.
 */
export interface Schema {
  readonly type?: JsonType | readonly JsonType[];
  readonly format?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  /** Fields by name; those missing in some responses are not in `required`. */
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  /** Schema of the values of a map, whose keys (IDs, custom fields) are not part of the schema. */
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
  /** Common prefix of IDs with the format `prefixed-id`: `doc_`. */
  readonly 'x-prefix'?: string;
  /** Number of values behind this schema. */
  readonly 'x-seen'?: number;
}
export type JsonType = (typeof JSON_TYPES)[number];

const JsonTypeSchema = z.enum(JSON_TYPES);

/** Parses a {@link Schema}, without unknown keywords. */
export const JsonSchemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.union([JsonTypeSchema, z.array(JsonTypeSchema)]).exactOptional(),
    format: z.string().exactOptional(),
    enum: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).exactOptional(),
    properties: z.record(z.string(), JsonSchemaSchema).exactOptional(),
    required: z.array(z.string()).exactOptional(),
    additionalProperties: JsonSchemaSchema.exactOptional(),
    items: JsonSchemaSchema.exactOptional(),
    examples: z.array(z.unknown()).exactOptional(),
    'x-prefix': z.string().exactOptional(),
    'x-seen': z.int().nonnegative().exactOptional(),
  }),
);
