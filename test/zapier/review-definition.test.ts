import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { breakingChanges, type Contract, contractOf } from '../support/zapier-compatibility.ts';
import { readDefinition } from '../support/zapier-definition.ts';

const FILE = fileURLToPath(new URL('__snapshots__/definition.json', import.meta.url));

test('nothing that Zaps depend on is gone or changed; what is new is added to the snapshot', async () => {
  const contract = contractOf(await readDefinition());
  // Before the snapshot is compared or rewritten: an update must not hide a break.
  if (existsSync(FILE))
    expect(breakingChanges(JSON.parse(readFileSync(FILE, 'utf8')) as Contract, contract)).toEqual([]);
  await expect(`${JSON.stringify(contract, null, 1)}\n`).toMatchFileSnapshot(FILE);
});

describe('a change that breaks Zaps is called by its name', () => {
  const before: Contract = { triggers: { a: { type: 'hook', inputs: { x: 'string' }, outputs: { id: 'string' } } } };
  const of = (change: { type?: string; inputs?: Record<string, string>; outputs?: Record<string, string> }) => ({
    triggers: { a: { type: 'hook', inputs: { x: 'string' }, outputs: { id: 'string' }, ...change } },
  });
  test.each([
    ['a removed operation', { triggers: {} }],
    ['a hook that polls', of({ type: 'polling' })],
    ['a removed input', of({ inputs: {} })],
    ['an input of another type', of({ inputs: { x: 'integer' } })],
    ['an optional input that is required', of({ inputs: { x: 'string required' } })],
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
