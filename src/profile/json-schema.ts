import { z } from 'zod';

/** The types of JSON, as JSON Schema names them. */
export const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const;

/**
 * What a text or number stands for, beside JSON Schema's own formats: points in time by their unit, and the forms of ids.
 * A reader that does not know one takes the bare type.
 */
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
 * The form of a JSON value: the part of JSON Schema 2020-12 that answers need, so that it can stand in an OpenAPI 3.1
 * document as it is. Nothing in it is a value of the account that was asked: `examples` are invented, and `enum` holds only
 * words that the project knows from elsewhere or wrote itself.
 */
export interface Schema {
  readonly type?: JsonType | readonly JsonType[];
  readonly format?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  /** Fields by name. One that was not in every answer is missing from `required`. */
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  /** The form of each value of a map, whose own names (ids, addresses, a person's own fields) are no part of the form. */
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
  /** What ids of the form `prefixed-id` begin with: `doc_`. */
  readonly 'x-prefix'?: string;
  /** How many values this form was read from. */
  readonly 'x-seen'?: number;
}
export type JsonType = (typeof JSON_TYPES)[number];

const JsonTypeSchema = z.enum(JSON_TYPES);

/** Reads a {@link Schema} from a file: what it does not know it leaves out. */
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
