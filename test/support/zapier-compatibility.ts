import type { Definition, Field, Operation } from './zapier-definition.ts';

/** The parts of the definition that users' Zaps depend on: keys, types, required fields. */
export interface Contract {
  readonly [group: string]: Readonly<Record<string, OperationContract>>;
}

interface OperationContract {
  readonly type?: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
}

export function contractOf(definition: Definition): Contract {
  const groups = (['triggers', 'creates', 'searches'] as const).map((group) => [
    group,
    Object.fromEntries(
      Object.entries(definition[group] ?? {}).map(([key, operation]) => [key, operationContract(operation)]),
    ),
  ]);
  const pairs = (group: 'searchOrCreates' | 'searchAndCreates') =>
    Object.fromEntries(Object.keys(definition[group] ?? {}).map((key) => [key, { inputs: {}, outputs: {} }]));
  return {
    ...Object.fromEntries(groups),
    searchOrCreates: pairs('searchOrCreates'),
    searchAndCreates: pairs('searchAndCreates'),
  };
}

function operationContract({ operation }: Operation): OperationContract {
  const inputs = (operation.inputFields ?? []).filter((field) => typeof field !== 'string');
  return {
    ...(operation.type ? { type: operation.type } : {}),
    inputs: Object.fromEntries(inputs.flatMap(inputContract)),
    outputs: Object.fromEntries((operation.outputFields ?? []).map(({ key, type }) => [key, type ?? 'any'])),
  };
}

function inputContract(field: Field): [string, string][] {
  // A field that only shows text has no value.
  if (field.type === 'copy') return [];
  const nested = (field.children ?? []).flatMap(inputContract);
  const type = `${field.type ?? 'string'}${field.list ? '[]' : ''}${field.required ? ' required' : ''}`;
  return [[field.key, type], ...nested.map(([key, value]): [string, string] => [`${field.key}.${key}`, value])];
}

/** Lists the changes that break running Zaps: the platform requires a major version for them. */
export function breakingChanges(before: Contract, after: Contract): string[] {
  const found: string[] = [];
  const say = (what: string) => found.push(`${what}: this needs a major version`);
  for (const [group, operations] of Object.entries(before)) {
    for (const [key, old] of Object.entries(operations)) {
      const now = after[group]?.[key];
      const name = `${group}.${key}`;
      if (!now) {
        say(`${name} is gone`);
        continue;
      }
      if (old.type !== now.type) say(`${name} turned from ${old.type} to ${now.type}`);
      for (const part of ['inputs', 'outputs'] as const) {
        for (const [field, type] of Object.entries(old[part])) {
          const current = now[part][field];
          // A required field may become optional.
          if (current === undefined) say(`${name} lost its field ${field}`);
          else if (current !== type && `${current} required` !== type)
            say(`${name} changed its field ${field} from ${type} to ${current}`);
        }
      }
      for (const [field, type] of Object.entries(now.inputs))
        if (!(field in old.inputs) && type.endsWith(' required')) say(`${name} got the required field ${field}`);
    }
  }
  return found;
}
