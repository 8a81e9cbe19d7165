import type {
  BasicCreateOperation,
  Bundle,
  Create,
  PlainInputField,
  PlainOutputField,
  ZObject,
} from 'zapier-platform-core';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { addPickedName } from '../records/picked-names.ts';
import { getOutputFields, type RecordKind } from '../records/record-kind.ts';

/** Fields that depend on the connected account. */
type DynamicFields = (z: ZObject, bundle: Bundle) => Promise<PlainInputField[]>;

export type StepOutput =
  | RecordKind
  | { readonly outputFields: PlainOutputField[]; readonly sample: Record<string, unknown> };

/** Input of a form: names of required texts, of optional texts, and of optional lists. */
export type FormInput<Required extends string, Optional extends string = never, Lists extends string = never> = {
  [name in Required]: string;
} & { [name in Optional]?: string } & { [name in Lists]?: string[] } & Record<string, unknown>;

/** Defines an action. `Input` is the form's input: Zapier omits empty fields and converts the rest to the field types. */
export function defineAction<Input extends Record<string, unknown>>(spec: {
  key: string;
  noun: string;
  label: string;
  description: string;
  inputFields: (PlainInputField | DynamicFields)[];
  perform: (step: StepContext<Input>) => Promise<Record<string, unknown>>;
  output: StepOutput;
  /** True for an action that new Zaps are not offered. */
  hidden?: boolean;
  /** Runs with the same key wait for each other (default: at most 60 seconds). */
  lock?: { key: string; timeout?: number };
  /** Continues the step after its callback URL was called. */
  resume?: (step: StepContext<Input>) => Promise<Record<string, unknown>>;
}): Create {
  const { key, noun, label, description, hidden, inputFields, perform, output, lock, resume } = spec;
  return {
    key,
    noun,
    display: { label, description, ...(hidden ? { hidden } : {}) },
    operation: {
      inputFields: inputFields as NonNullable<BasicCreateOperation['inputFields']>,
      ...getFieldGroups(inputFields),
      // Zapier's types infer the input from literal fields only.
      perform: withClient<Input, Record<string, unknown>>(
        async (step) => addPickedName(await perform(step), step),
        inputFields,
      ) as BasicCreateOperation['perform'],
      outputFields: 'outputFields' in output ? output.outputFields : getOutputFields(output),
      sample: output.sample,
      ...(lock ? { lock: { scope: ['account'], timeout: 60, ...lock } } : {}),
      ...(resume ? { performResume: withClient(resume) as BasicCreateOperation['performResume'] } : {}),
    },
  } as Create;
}

/** Headings of a form, in order. */
const GROUPS = { gate: 'Gate', expiry: 'Expiry', more: 'More' } as const;

function getFieldGroups(
  fields: readonly (PlainInputField | DynamicFields)[],
): Pick<BasicCreateOperation, 'inputFieldGroups'> {
  const used = new Set(fields.map((field) => (typeof field === 'function' ? undefined : field.group)));
  const groups = Object.entries(GROUPS).filter(([key]) => used.has(key));
  return groups.length === 0 ? {} : { inputFieldGroups: groups.map(([key, label]) => ({ key, label })) };
}
