import type { PlainInputField, PlainOutputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import type { ValueFormat } from '../../src/profile/json-schema.ts';
import type { JsonObject } from './client-core.ts';

/** One record as the service gives it. */
export interface ProfileRecord {
  /** Invented, in the learned form. */
  readonly sample: JsonObject;
  /** The fields of `raw`, labelled and typed. */
  readonly outputs: readonly PlainOutputField[];
}

/** How the service writes a point in time that a form gives as ISO 8601. */
export type TimeFormat = Extract<ValueFormat, `date${string}` | `epoch-${string}`>;

/** A field that a form offers under its own name. */
export interface ProfileInput {
  readonly name: string;
  readonly field: PlainInputField;
}

/** What a profile knows, as the app needs it. */
export interface AppProfile {
  /** By the operation that answers them. */
  readonly records: { readonly [operation in OperationName]?: ProfileRecord };
  /** A delivered event, and the names that lead to its kind. */
  readonly event?: ProfileRecord & { readonly kindPath: readonly string[] };
  readonly inputs: { readonly [operation in OperationName]?: readonly ProfileInput[] };
  readonly timeFormats: { readonly [name: string]: TimeFormat };
}

/** Where `DOCSHARE_PROFILE` is set, the build writes what it knows in the place of this (`scripts/bundle-zapier.ts`). */
export const appProfile: AppProfile | undefined = undefined;
