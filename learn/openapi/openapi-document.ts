import type { Json } from './json-schema.ts';

/** The parts of an OpenAPI document that the generated types use. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly [more: string]: unknown };
  readonly [more: string]: unknown;
}

/** An operation, or the delivery of an event. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
  readonly [more: string]: unknown;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Json;
  readonly [more: string]: unknown;
}
