import { z } from 'zod';
import { type OperationName, operations } from '../operations/index.ts';
import { SCOPES, type Scope } from '../scopes.ts';
import { JsonSchemaSchema, type Schema } from './json-schema.ts';
import { HeaderNameSchema, JsonPathSchema, type ListProfile, ListProfileSchema } from './paging-scheme.ts';

const MediaType = z
  .string()
  .max(200)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/, 'is not a media type');
const SuccessStatus = z.int().min(200).max(399);

/** Shape of a response, without values of the account. */
const ResponseShapeSchema = z.object({
  status: SuccessStatus,
  /** Media type without parameters; null without a body. */
  media: MediaType.nullable(),
  /** Complete header, if it has parameters. */
  contentType: MediaType.exactOptional(),
  /** Lower-case names, without connection headers; each with the schema of its value. */
  headers: z.record(HeaderNameSchema, JsonSchemaSchema),
  /** Unset if the body is not JSON. */
  body: JsonSchemaSchema.exactOptional(),
  /** Number of observed responses. */
  seen: z.int().nonnegative(),
});

const OperationProfileSchema = z.object({
  response: ResponseShapeSchema.exactOptional(),
  list: ListProfileSchema.exactOptional(),
  /** Path of the one object in the response; empty if it is the response. */
  item: JsonPathSchema.exactOptional(),
  /** Schema of an accepted request body. */
  requestBody: JsonSchemaSchema.exactOptional(),
});

/** Body with placeholders: `{ "url": "{url}", "events": ["{event}"] }`. */
const BodyTemplateSchema = z.record(z.string(), z.unknown());

/** Rejections that can be provoked without side effects. */
export const REJECTION_KINDS = [
  'noKey',
  'wrongKey',
  'missingScope',
  'unknownId',
  'badBody',
  'badQuery',
  'conflict',
  'noRoute',
  'wrongMethod',
  'limited',
] as const;
export type RejectionKind = (typeof REJECTION_KINDS)[number];

const RejectionShapeSchema = ResponseShapeSchema.extend({ status: z.int().min(400).max(599) });

/** Seconds; at most three years. */
const Ttl = z.number().positive().max(1e8);

const ServiceFactsSchema = z.object({
  naming: z.enum(['snake', 'camel', 'pascal', 'kebab']).exactOptional(),
  ids: z.enum(['prefixed', 'uuid', 'digits', 'numbers', 'opaque']).exactOptional(),
  times: z.enum(['iso', 'epoch-seconds', 'epoch-ms', 'date']).exactOptional(),
  /** How fields without a value are sent: null or omitted. */
  nulls: z.enum(['given', 'omitted']).exactOptional(),
  /** How a file is delivered: a URL in JSON, a redirect, or its bytes. */
  download: z
    .object({
      by: z.enum(['url', 'redirect', 'bytes']),
      status: SuccessStatus,
      at: JsonPathSchema.exactOptional(),
      /** True if the URL is on the API's own origin. */
      sameOrigin: z.boolean().exactOptional(),
      /** Lifetime of the URL in seconds, if the URL contains it. */
      ttlSeconds: Ttl.exactOptional(),
    })
    .exactOptional(),
  /** True if multipart uploads are accepted; false if that method was rejected. */
  multipart: z.boolean().exactOptional(),
  /** Body of `POST /documents/uploads`, with `{name}`, `{type}` and `{size}`. */
  uploadStart: BodyTemplateSchema.exactOptional(),
  upload: z
    .object({
      headers: z.array(HeaderNameSchema),
      encryption: z
        .string()
        .regex(/^[\x21-\x7e]{1,100}$/, 'is not a header value')
        .exactOptional(),
      sameOrigin: z.boolean(),
      /** Status of the storage for stored bytes. */
      stored: z.int().min(200).max(599).exactOptional(),
      ttlSeconds: Ttl.exactOptional(),
    })
    .exactOptional(),
  /** Body of `POST /webhooks`, with `{url}` and `{event}`. */
  webhook: BodyTemplateSchema.exactOptional(),
  /** Path of the secret in the response to a registration; null if it has none. */
  webhookSecret: JsonPathSchema.nullable().exactOptional(),
  /** Resources whose objects can be deleted although the document shows no DELETE: `documents`. */
  removals: z.array(z.string()).exactOptional(),
  requestId: HeaderNameSchema.nullable().exactOptional(),
  limit: z
    .object({
      /** Set if only few calls are accepted at once. */
      kind: z.literal('burst').exactOptional(),
      /** Calls per minute, if a header says so. */
      calls: z.int().exactOptional(),
      /** Rate-limit headers of responses and rejections. */
      headers: z.array(z.string()),
      hint: z.enum(['seconds', 'date', 'ratelimit', 'ratelimit-policy', 'x-ratelimit', 'none']).exactOptional(),
    })
    .exactOptional(),
  event: z
    .object({
      body: JsonSchemaSchema,
      headers: z.record(HeaderNameSchema, JsonSchemaSchema),
      kind: JsonPathSchema.exactOptional(),
      id: JsonPathSchema.exactOptional(),
      time: JsonPathSchema.exactOptional(),
      data: JsonPathSchema.exactOptional(),
      signature: z.enum(['standard-webhooks', 't-v1', 'hex', 'sha256-hex', 'base64', 'none', 'unknown']),
      signatureHeader: HeaderNameSchema.exactOptional(),
      kinds: z.array(z.string()),
    })
    .exactOptional(),
});

const operationNames = operations.map(({ name }) => name) as [OperationName, ...OperationName[]];

/** `docshare.profile.json`: observed behavior of one service where the API document is silent. */
export const ServiceProfileSchema = z.object({
  /** Increases when an older reader would misread the file. */
  docshareProfile: z.literal(1),
  /** Base URL of the service; a profile is valid only for this service. */
  service: z.string(),
  learned: z.object({
    at: z.iso.datetime(),
    by: z.string(),
    calls: z.int().nonnegative(),
    /** `write` if objects were created and deleted, `read` if they were only read. */
    mode: z.enum(['read', 'write']),
    /** Set if the file keeps names that may be personal to the account, as the user requested. */
    names: z.literal('kept').exactOptional(),
  }),
  /** Scopes that the key has, and scopes that it lacks. */
  scopes: z.object({ granted: z.array(z.enum(SCOPES)), missing: z.array(z.enum(SCOPES)) }),
  facts: ServiceFactsSchema,
  operations: z.partialRecord(z.enum(operationNames), OperationProfileSchema),
  /** Fields of a resource in any response, by resource name: `link`, `document`. */
  resources: z.record(z.string(), JsonSchemaSchema),
  rejections: z.partialRecord(z.enum(REJECTION_KINDS), RejectionShapeSchema),
});

export interface ServiceProfile extends z.infer<typeof ServiceProfileSchema> {}
export type ServiceFacts = ServiceProfile['facts'];
export type ResponseShape = z.infer<typeof ResponseShapeSchema>;
export type OperationProfile = z.infer<typeof OperationProfileSchema>;
export type { ListProfile, Schema, Scope };
