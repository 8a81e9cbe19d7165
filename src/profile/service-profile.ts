import { z } from 'zod';
import { type OperationName, operations } from '../operations/index.ts';
import { SCOPES, type Scope } from '../scopes.ts';
import { JsonSchemaSchema, type Schema } from './json-schema.ts';
import { type ListProfile, ListProfileForm, Path } from './paging-scheme.ts';

/** An answer as its form: never a value of the account that was asked. */
const ResponseShapeSchema = z.object({
  status: z.int(),
  /** The media type without its parameters; null where there was no body. */
  media: z.string().nullable(),
  /** In full, where it has parameters. */
  contentType: z.string().exactOptional(),
  /** Names in lower case, without those of the connection itself; each with the form of its value. */
  headers: z.record(z.string(), JsonSchemaSchema),
  /** Unset where the body is no JSON. */
  body: JsonSchemaSchema.exactOptional(),
  /** How many answers this form was read from; 0 where it was concluded from operations of the same kind. */
  seen: z.int().nonnegative(),
});

const OperationProfileSchema = z.object({
  /** Unset where the operation could not be called and nothing of its kind was. */
  answer: ResponseShapeSchema.exactOptional(),
  list: ListProfileForm.exactOptional(),
  /** Where the one object stands in the answer; empty where it is the answer. */
  item: Path.exactOptional(),
  /** The form of the body that was taken, of a write. */
  takes: JsonSchemaSchema.exactOptional(),
});

/** A body with places to fill: `{ "url": "{url}", "events": ["{event}"] }`. */
const BodyTemplateSchema = z.record(z.string(), z.unknown());

/** The kinds of refusal that can be brought about without doing anything. */
export const REJECTION_KINDS = [
  'noKey',
  'wrongKey',
  'missingScope',
  'unknownId',
  'badBody',
  'conflict',
  'noRoute',
  'wrongMethod',
  'limited',
] as const;
export type RejectionKind = (typeof REJECTION_KINDS)[number];

const ServiceFactsSchema = z.object({
  naming: z.enum(['snake', 'camel', 'pascal', 'kebab']).exactOptional(),
  ids: z.enum(['prefixed', 'uuid', 'digits', 'numbers', 'opaque']).exactOptional(),
  times: z.enum(['iso', 'epoch-seconds', 'epoch-ms', 'date']).exactOptional(),
  /** Whether fields without a value are given as null or left out. */
  nulls: z.enum(['given', 'omitted']).exactOptional(),
  /** How a file is answered: an address in JSON, a redirect to one, or its bytes. */
  download: z
    .object({
      by: z.enum(['address', 'redirect', 'bytes']),
      status: z.int(),
      at: Path.exactOptional(),
      /** Whether the address points to the API's own origin. */
      sameOrigin: z.boolean().exactOptional(),
      /** Seconds, where the address itself says so. */
      life: z.number().exactOptional(),
    })
    .exactOptional(),
  /** Whether a document is taken in one multipart request; false where that way was refused as such. */
  multipart: z.boolean().exactOptional(),
  /** The body that `POST /documents/uploads` takes, with `{name}`, `{type}` and `{size}` in it. */
  uploadStart: BodyTemplateSchema.exactOptional(),
  upload: z
    .object({
      headers: z.array(z.string()),
      encryption: z.string().exactOptional(),
      sameOrigin: z.boolean(),
      /** The storage's status for stored bytes. */
      stored: z.int().exactOptional(),
      life: z.number().exactOptional(),
    })
    .exactOptional(),
  /** The body that `POST /webhooks` takes, with `{url}` and `{event}` in it. */
  webhook: BodyTemplateSchema.exactOptional(),
  /** Where the answer to a registration holds the secret; null where it holds none. */
  webhookSecret: Path.nullable().exactOptional(),
  /** Resources of which one object can be removed although the document shows no DELETE for them: `documents`. */
  removals: z.array(z.string()).exactOptional(),
  requestId: z.string().nullable().exactOptional(),
  limit: z
    .object({
      kind: z.enum(['sliding', 'fixed', 'bucket', 'burst']).exactOptional(),
      /** Calls a minute, where a header says so or it was used up. */
      calls: z.int().exactOptional(),
      counts: z.enum(['accepted', 'all']).exactOptional(),
      /** Headers that speak of it, on answers and on refusals. */
      headers: z.array(z.string()),
      hint: z
        .enum(['seconds', 'date', 'ratelimit', 'ratelimit-policy', 'x-ratelimit', 'none'])
        .exactOptional(),
    })
    .exactOptional(),
  event: z
    .object({
      body: JsonSchemaSchema,
      headers: z.record(z.string(), JsonSchemaSchema),
      kind: Path.exactOptional(),
      id: Path.exactOptional(),
      time: Path.exactOptional(),
      data: Path.exactOptional(),
      signature: z.enum(['standard-webhooks', 't-v1', 'hex', 'sha256-hex', 'base64', 'none', 'unknown']),
      signatureHeader: z.string().exactOptional(),
      kinds: z.array(z.string()),
    })
    .exactOptional(),
});

const names = operations.map(({ name }) => name) as [OperationName, ...OperationName[]];

/** `docshare.profile.json`: what one service was seen to do where the API document is silent. */
export const ServiceProfileSchema = z.object({
  /** Grows when an older reader would misread the file. */
  docshareProfile: z.literal(1),
  /** The base URL that was asked; a profile serves no other. */
  service: z.string(),
  learned: z.object({
    at: z.iso.datetime(),
    by: z.string(),
    calls: z.int().nonnegative(),
    /** Whether objects were made and removed again, or everything was read. */
    mode: z.enum(['read', 'write']),
    /** Set where names stand in it that may be those of the account, since whoever learned wanted to keep them. */
    names: z.literal('kept').exactOptional(),
  }),
  /** Scopes that the key was seen to have, and to lack. */
  scopes: z.object({ granted: z.array(z.enum(SCOPES)), missing: z.array(z.enum(SCOPES)) }),
  facts: ServiceFactsSchema,
  operations: z.partialRecord(z.enum(names), OperationProfileSchema),
  /** The fields of a resource in whatever answer it was seen, by the resource's name: `link`, `document`. */
  resources: z.record(z.string(), JsonSchemaSchema),
  refusals: z.partialRecord(z.enum(REJECTION_KINDS), ResponseShapeSchema),
});

export interface ServiceProfile extends z.infer<typeof ServiceProfileSchema> {}
export type ServiceFacts = ServiceProfile['facts'];
export type ResponseShape = z.infer<typeof ResponseShapeSchema>;
export type LearnedList = ListProfile;
export type OperationProfile = z.infer<typeof OperationProfileSchema>;
export type { Schema, Scope };
