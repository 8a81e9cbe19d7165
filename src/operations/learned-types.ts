/** Fields of objects that the API document does not name, by type name. `docshare learn --openapi` writes a file that adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: other modules add members.
export interface LearnedObjects {}

/** Inputs that the API document does not name, by operation. The same file adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: other modules add members.
export interface LearnedInputs {}

/** Field that every object may have. */
interface Identified {
  /** ID of the object, as the client's methods accept it. */
  readonly id?: string | number;
}

type Lookup<Types, Name, Otherwise> = Name extends keyof Types ? Types[Name] : Otherwise;
type Fields<Name, Documented> = Identified & Documented & Lookup<LearnedObjects, Name, unknown>;

/** Object of a response: its documented and its learned fields, as one type that can be assigned to a record. */
export type ObjectType<Name extends string, Documented = unknown> = {
  readonly [Field in keyof Fields<Name, Documented>]: Fields<Name, Documented>[Field];
};

export interface ExtraFields {
  /** Fields that the API document does not name, or whose names resemble documented ones; sent unchecked. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Input whose body the API document states: further fields go under `extra`. */
export type DocumentedInput<Name extends string> = ExtraFields & Lookup<LearnedInputs, Name, unknown>;

/** Input that the API document does not describe: it accepts any field until its own fields are learned. */
export type OpenInput<Name extends string> = ExtraFields &
  Lookup<LearnedInputs, Name, { readonly [field: string]: unknown }>;
