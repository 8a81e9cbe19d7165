import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { breakingChanges, type Contract, contractOf } from '../support/zapier-compatibility.ts';
import { readDefinition } from '../support/zapier-definition.ts';

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
