import type { PlainInputField, PlainOutputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import type { ValueFormat } from '../../src/profile/json-schema.ts';
import type { JsonObject } from './client-core.ts';

/** One record in the service's own form. */
export interface ProfileRecord {
  readonly sample: JsonObject;
  readonly outputs: readonly PlainOutputField[];
}

/** Service's format for a time that a form gives as ISO 8601. */
export type TimeFormat = Extract<ValueFormat, `date${string}` | `epoch-${string}`>;

export interface ProfileInput {
  readonly name: string;
  readonly field: PlainInputField;
}

export interface AppProfile {
  /** By the operation that returns them. */
  readonly records: { readonly [operation in OperationName]?: ProfileRecord };
  /** Delivered event, and the path to its kind. */
  readonly event?: ProfileRecord & { readonly kindPath: readonly string[] };
  readonly inputs: { readonly [operation in OperationName]?: readonly ProfileInput[] };
  readonly timeFormats: { readonly [name: string]: TimeFormat };
}

/** Replaced by the build if `DOCSHARE_PROFILE` is set (`scripts/bundle-zapier.ts`). */
export const appProfile: AppProfile | undefined = undefined;
