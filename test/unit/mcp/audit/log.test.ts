import { expect, test, vi } from 'vitest';
import { createCallLogger } from '../../../../mcp/audit/audit-call.ts';
import type { Tool } from '../../../../mcp/tool/tool.ts';
import { createStub } from '../../../support/create-stub.ts';
import { createLog } from '../../../support/mcp-parts.ts';

const SECRET = 'sk_live_a_key_of_many_characters_1234567890';

function lineOf(fields: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  createLog({ level: 'debug', secrets: [SECRET], write: (line) => lines.push(line) }).warn('event', fields);
  return lines.join('');
}

test.each([250, 270, 290, 299])('a secret %i characters into a long text is redacted completely', (at) => {
  const line = lineOf({ message: `${'x'.repeat(at - 1)} ${SECRET} ${'y'.repeat(400)}` });
  expect(line).toContain('xxx');
  expect(line).not.toContain('sk_');
  expect(JSON.parse(line).message.length).toBeLessThanOrEqual(300);
});

test.each(['apiKey', 'api_key', 'confirm_token', 'clientSecret', 'PASSWORD'])('the text of %s is left out', (name) => {
  expect(lineOf({ [name]: 'plain words' })).not.toContain('plain words');
});

test('a line below its level is not written, and a signed URL is redacted', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', write: (line) => lines.push(line) });
  log.info('call', { tool: 'x' });
  log.warn('protocol_error', { message: 'bad https://s.example/x?sig=abc' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', event: 'protocol_error' }]);
  expect(lines[0]).not.toContain('abc');
});

test('frequent lines go to stderr together, and a warning at once', () => {
  vi.useFakeTimers();
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const log = createLog({ level: 'info' });
  for (const tool of ['a', 'b', 'c']) log.info('call', { tool });
  expect(write).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  log.warn('late');
  expect(write.mock.calls.map(([text]) => String(text).match(/"event":"\w+"/g))).toEqual([
    Array(3).fill('"event":"call"'),
    ['"event":"late"'],
  ]);
});

test.each([
  ['a write', 'links.delete', 'ok', 'info'],
  ['a read', 'links.list', 'ok', 'debug'],
  ['a read with an internal error', 'links.list', 'internal', 'error'],
])('%s is logged at its level', (_, operation, outcome, level) => {
  const lines: string[] = [];
  const tool = createStub<Tool>({ name: 'a_tool', annotations: { readOnlyHint: operation === 'links.list' } });
  const from = performance.now();
  createCallLogger(createLog({ level: 'debug', write: (line) => lines.push(line) }))(tool, createStub({})).end(outcome);
  const [{ ms, ...line }] = lines.map((line) => JSON.parse(line));
  expect(line).toMatchObject({ level, event: 'call', tool: 'a_tool', outcome });
  expect(ms).toBeLessThanOrEqual(Math.ceil(performance.now() - from));
});
