import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { breakingChanges, type Contract, contractOf } from '../support/zapier-compatibility.ts';
import { type Field, type Operation, readDefinition } from '../support/zapier-definition.ts';

const definition = await readDefinition();
const GROUPS = ['triggers', 'creates', 'searches'] as const;
const all = GROUPS.flatMap((group) =>
  Object.entries(definition[group]).map(([key, operation]) => ({ group, key, name: `${group}.${key}`, operation })),
);
const visible = all.filter(({ operation }) => !operation.display.hidden);

/** Static input fields, including nested ones. */
function inputsOf({ operation }: Operation): Field[] {
  const flat = (fields: readonly Field[]): Field[] => fields.flatMap((field) => [field, ...flat(field.children ?? [])]);
  return flat((operation.inputFields ?? []).filter((field) => typeof field !== 'string'));
}

const SMALL = /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;
function expectTitle(label: string | undefined): void {
  // A remark in parentheses is not part of the title.
  const words = (label ?? '').replace(/ \([^)]*\)$/, '').split(' ');
  expect(label).toMatch(/^.{2,64}$/);
  for (const [index, word] of words.entries())
    if (index === 0 || !SMALL.test(word)) expect(word, label).toMatch(/^[A-Z0-9(]/);
}

const isDropDown = (field: Field): boolean => field.dynamic !== undefined || field.choices !== undefined;

describe('authentication', () => {
  const { fields, test: check, connectionLabel } = definition.authentication;
  test('is tested and labelled by the account', () => {
    expect(check).toBeTruthy();
    expect(String(connectionLabel)).toMatch(/^\$func\$/);
  });
  test('has a secret key field, and its help links to the page that creates keys', () => {
    const key = fields.find((field) => field.key === 'apiKey');
    expect(key).toMatchObject({ type: 'password', required: true });
    expect(key?.helpText).toMatch(/\[[^\]]+\]\(https:\/\/\S+\)/);
  });
  test('is the only form with a field for a key or a password', () => {
    for (const { name, operation } of all)
      for (const field of inputsOf(operation)) {
        expect(field.type, `${name}.${field.key}`).not.toBe('password');
        expect(field.key, name).not.toMatch(/api_?key|token|secret/i);
      }
  });
});

describe.each(all)('$name', ({ group, key, operation }) => {
  const { display, noun, operation: own } = operation;
  const inputs = inputsOf(operation).filter(({ type }) => type !== 'copy');
  const outputs = own.outputFields ?? [];

  test('has a well-formed key, label, noun and description', () => {
    expect(operation.key).toBe(key);
    expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expectTitle(display.label);
    expectTitle(noun);
    expect(noun).not.toMatch(/[^s]s$/);
    const start = {
      triggers: /^Triggers when /,
      creates: /^(Creates|Updates|Deletes|Sends|Uploads|Adds|Sets|Makes) /,
      searches: /^Finds /,
    };
    expect(display.description).toMatch(start[group]);
    expect(display.description).toMatch(group === 'creates' ? /\.$/ : /^[^.]+\.$/);
    expect(`${display.label} ${display.description}`).not.toMatch(/envelope|dataroom|\bJSON\b|webhook/i);
  });

  test('every field has a label and a help text, required fields come first, and IDs are chosen, not typed', () => {
    for (const field of inputs) {
      const { label, helpText, list } = field;
      expectTitle(label);
      expect(label).not.toMatch(/\bIDs?$/);
      // A group of fields may have no help text.
      if (!field.children) expect(helpText ?? '', `${key}.${field.key}`).not.toBe('');
      expect((helpText ?? '').toLowerCase()).not.toBe(label?.toLowerCase());
      expect(helpText ?? '').not.toMatch(/comma[- ]separated/i);
      if (/_ids?$/.test(field.key)) expect(isDropDown(field), field.key).toBe(true);
      if (/s$/.test(field.key) && /one a line/i.test(helpText ?? '')) expect(list).toBe(true);
      for (const [, address] of (helpText ?? '').matchAll(/\]\(([^)]*)\)/g)) expect(address).toMatch(/^https:\/\//);
    }
    const top = (own.inputFields ?? []).filter(
      (field): field is Field => typeof field !== 'string' && field.type !== 'copy',
    );
    const required = top.map((field) => field.required === true);
    expect(required).toEqual(required.toSorted((a, b) => Number(b) - Number(a)));
  });

  test('references of its fields exist', () => {
    const keys = new Set(inputs.map((field) => field.key));
    const missing: unknown[] = [];
    for (const { dynamic, search, dependsOn = [] } of inputs) {
      for (const [reference, group] of [
        [dynamic, definition.triggers],
        [search, definition.searches],
      ] as const) {
        if (reference === undefined) continue;
        const [target = '', ...fields] = reference.split('.');
        const known = (group[target]?.operation.outputFields ?? []).map((field) => field.key);
        if (!fields.every((field) => known.includes(field))) missing.push(reference);
      }
      if (search !== undefined && dynamic === undefined) missing.push(`${search} without a drop-down`);
      missing.push(...dependsOn.filter((other) => !keys.has(other)));
    }
    expect(missing).toEqual([]);
  });

  test('outputs have types and labels, and the sample has no other keys', () => {
    expect(outputs.length).toBeGreaterThan(0);
    for (const output of outputs) {
      expectTitle(output.label);
      // The service's original values have no declared type.
      if (!['raw', 'body'].includes(output.key)) expect(output.type, output.key).toBeDefined();
    }
    const known = outputs.map((output) => output.key.split('[]')[0]);
    expect(known).toEqual(expect.arrayContaining(Object.keys(own.sample ?? {})));
    expect(Object.keys(own.sample ?? {}).length).toBeGreaterThan(0);
    for (const [name, value] of Object.entries(own.sample ?? {})) {
      expect(value, name).not.toBe('');
      if (value === null) continue;
      if (/_at$/.test(name)) expect(value, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/);
      if (/url$/.test(name)) expect(value, name).toMatch(/^https:\/\//);
    }
    if (group !== 'creates' && !display.hidden)
      expect(outputs.filter(({ primary }) => primary).map((output) => output.key)).toEqual(['id']);
  });

  test('a deletion says that it cannot be undone', () => {
    const copies = (own.inputFields ?? []).filter(
      (field): field is Field => typeof field !== 'string' && field.type === 'copy',
    );
    expect(copies.some(({ helpText = '' }) => helpText.includes('cannot be undone'))).toBe(key.startsWith('delete_'));
  });
});

test('labels are unique, so that the user can distinguish steps', () => {
  for (const group of GROUPS) {
    const labels = visible.filter((entry) => entry.group === group).map(({ operation }) => operation.display.label);
    expect(new Set(labels).size).toBe(labels.length);
  }
});

test.each([...Object.values(definition.searchOrCreates), ...Object.values(definition.searchAndCreates)])(
  '$key finds or creates a record',
  (pair) => {
    expect(pair.key).toBe(pair.search);
    expectTitle(pair.display.label);
    expect(pair.display.description).toMatch(/^Finds .*\.$/);
    const outputs = (operation: Operation | undefined) =>
      (operation?.operation.outputFields ?? []).map((field) => field.key);
    expect(outputs(definition.creates[pair.create])).toEqual(outputs(definition.searches[pair.search]));
  },
);

test.each(Object.values(definition.searchAndCreates))('$key updates the record that it found', (pair) => {
  const update = definition.creates[pair.update];
  const mapped = Object.entries(pair.updateInputFromSearchOutput);
  expect(mapped).toHaveLength(1);
  for (const [input, output] of mapped) {
    expect(update && inputsOf(update).find(({ key }) => key === input)).toMatchObject({ required: true });
    expect(output).toBe('id');
  }
});

test('forms have sections for gates, expiry and more, and every section is used', () => {
  for (const { name, operation } of all) {
    const groups = (operation.operation.inputFieldGroups ?? []).map(({ key }) => key);
    expect(new Set(inputsOf(operation).flatMap(({ group }) => group ?? [])), name).toEqual(new Set(groups));
  }
  for (const key of ['create_link', 'update_link', 'share_document'])
    expect(definition.creates[key]?.operation.inputFieldGroups).toEqual([
      { key: 'gate', label: 'Gate' },
      { key: 'expiry', label: 'Expiry' },
      { key: 'more', label: 'More' },
    ]);
});

test('every URL in the definition uses https', () => {
  expect(JSON.stringify(definition).match(/http:\/\/[^\s"]+/g)).toBeNull();
});

const FILE = fileURLToPath(new URL('__snapshots__/definition.json', import.meta.url));

test('nothing that Zaps depend on is removed or changed, and additions are in the snapshot', async () => {
  const contract = contractOf(await readDefinition());
  // Before the snapshot is compared or rewritten, because an update must not hide a breaking change.
  if (existsSync(FILE))
    expect(breakingChanges(JSON.parse(readFileSync(FILE, 'utf8')) as Contract, contract)).toEqual([]);
  await expect(`${JSON.stringify(contract, null, 1)}\n`).toMatchFileSnapshot(FILE);
});

describe('a breaking change is reported', () => {
  const before: Contract = { triggers: { a: { type: 'hook', inputs: { x: 'string' }, outputs: { id: 'string' } } } };
  const of = (change: { type?: string; inputs?: Record<string, string>; outputs?: Record<string, string> }) => ({
    triggers: { a: { type: 'hook', inputs: { x: 'string' }, outputs: { id: 'string' }, ...change } },
  });
  test.each([
    ['a removed operation', { triggers: {} }],
    ['a hook that becomes a polling trigger', of({ type: 'polling' })],
    ['a removed input', of({ inputs: {} })],
    ['an input with another type', of({ inputs: { x: 'integer' } })],
    ['an optional input that becomes required', of({ inputs: { x: 'string required' } })],
    ['a new required input', of({ inputs: { x: 'string', y: 'string required' } })],
    ['a removed output', of({ outputs: {} })],
  ])('%s needs a major version', (_, after) => {
    expect(breakingChanges(before, after)).toEqual([expect.stringContaining('major version')]);
  });

  test('additions and a required input that becomes optional break nothing', () => {
    expect(breakingChanges(before, of({ inputs: { x: 'string', y: 'string' } }))).toEqual([]);
    const strict = { triggers: { a: { inputs: { x: 'string required' }, outputs: {} } } };
    expect(breakingChanges(strict, { triggers: { a: { inputs: { x: 'string' }, outputs: {} } } })).toEqual([]);
  });
});
