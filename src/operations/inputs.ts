export interface ExtraFields {
  /** Fields that the API document does not name, or whose names resemble documented ones; sent unchecked. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Operations whose inputs were learned: they accept their typed fields only. `docshare learn --openapi` adds members. */
// biome-ignore lint/suspicious/noEmptyInterface: other modules add members.
export interface ClosedInputs {}

/** Input that the API document does not describe: it accepts any field until its own are learned. */
export type OpenInput<Name extends string> = Name extends keyof ClosedInputs
  ? ExtraFields
  : ExtraFields & { readonly [field: string]: unknown };
