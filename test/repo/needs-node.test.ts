import { expect, test } from 'vitest';
import { generateNodeVersionCheck } from '../../scripts/pack/node-version-check.ts';

/** Evaluates the module with this value as `process`. */
const runWith = (process: unknown) => new Function('process', generateNodeVersionCheck('docshare'))(process);
const versioned = (node: string, more: object = {}) => ({ versions: { node, ...more } });

test.each(['20.20.2', '22.18.0', '22.9.1', '9.0.0'])('Node %s is rejected with one sentence', (node) => {
  expect(() => runWith(versioned(node))).toThrow(
    `docshare needs Node 22.19 or newer; this is ${node}. Update Node and try again.`,
  );
});

test.each(['22.19.0', '22.20.1', '23.0.0', '24.1.0', '100.0.0'])('Node %s is accepted', (node) => {
  expect(runWith(versioned(node))).toBeUndefined();
});

test.each([
  ['no process', undefined],
  ['a process that a bundler made up', { env: {} }],
  ['one without a number', { versions: {} }],
  ['Deno', versioned('20.11.1', { deno: '2.0.0' })],
  ['Bun', versioned('21.6.0', { bun: '1.1.0' })],
])('%s does not count as an outdated Node', (_, process) => {
  expect(runWith(process)).toBeUndefined();
});
