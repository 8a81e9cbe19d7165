import type { Json } from './form.ts';

/** The parts of an OpenAPI document that its types are read from; the rest is for readers alone. */
export interface ServiceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Described }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly [more: string]: unknown };
  readonly [more: string]: unknown;
}

/** An operation, or the delivery of an event. */
export interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
  readonly [more: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Json;
  readonly [more: string]: unknown;
}
