import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { type Host, type Json, openHost } from '../support/mcp-host.ts';
import { tasks } from '../support/mcp-tasks.ts';

/** What a person must have agreed to, by the service's own names: typed by hand, not taken from the tools. */
const GATED = [
  'agreements.send',
  'proposals.send',
  'links.delete',
  'templates.delete',
  'webhooks.delete',
  'webhooks.create',
  'rooms.setPermissions',
  'rooms.addFile',
];

let sandbox: Sandbox;
let host: Host;
// Each task has its own service, as all tasks together exceed the rate limit of one key.
beforeEach(async () => {
  sandbox = await createSandbox();
  host = await openHost({ env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url } });
});
afterEach(async () => {
  await host.close();
  await sandbox.close();
});

function filled(value: unknown, memory: Json): unknown {
  if (typeof value === 'string' && value.startsWith('$')) {
    let found: unknown = memory;
    for (const part of value.slice(1).split('.')) found = (found as Json | undefined)?.[part];
    return found;
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, memory));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, memory)]));
}

function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (/^id$|_id$/.test(name) ? [String(inner)] : idsIn(inner)));
}

test('there are at least 30 tasks', () => {
  expect(tasks.length).toBeGreaterThanOrEqual(30);
});

test.each(tasks.map((task) => [task.title, task] as const))('%s', async (_, task) => {
  const memory: Json = {};
  const seen: string[] = [];
  let [calls, tokens, agreed] = [0, 0, 0];
  for (const step of task.steps) {
    const args = filled(step.args ?? {}, memory) as Json;
    const unknown = idsIn(args).filter((id) => !seen.some((text) => text.includes(JSON.stringify(id))));
    expect(unknown, 'ids that no answer named').toEqual([]);
    let outcome = await host.call(step.tool, args);
    calls += 1;
    tokens += encode(JSON.stringify(args) + outcome.text).length;
    expect(outcome.isError, `${step.tool}: ${outcome.text}`).toBe(false);
    if (step.agreed) {
      expect(outcome.data, step.tool).toMatchObject({ done: false, preview: expect.any(String) });
      outcome = await host.call(step.tool, { ...args, confirm_token: outcome.data.confirm_token });
      calls += 1;
      agreed += 1;
      tokens += encode(JSON.stringify(args) + outcome.text).length;
      expect(outcome.isError, `${step.tool}: ${outcome.text}`).toBe(false);
      expect(outcome.data, step.tool).not.toMatchObject({ done: false });
    }
    seen.push(outcome.text);
    if (step.save) memory[step.save] = outcome.data;
  }
  expect(calls).toBeLessThanOrEqual(task.calls);
  expect(tokens).toBeLessThanOrEqual(task.tokens);
  const gated = sandbox.log.entries().filter(({ operation }) => GATED.includes(String(operation)));
  expect(gated.length, 'gated acts that nobody agreed to').toBeLessThanOrEqual(agreed);
  if (agreed === 0) expect(gated).toEqual([]);
});
