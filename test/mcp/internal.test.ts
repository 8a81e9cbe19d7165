import { expect, test } from 'vitest';
import { createLog } from '../../mcp/audit/log.ts';
import { callTool } from '../../mcp/call/call-tool.ts';
import { tools } from '../../mcp/tools/index.ts';
import { texts } from './texts.ts';

const KEY = 'dk_live_c0ffee00c0ffee00';

/** A call of `whoami` in a server of which one part is broken. */
async function callBroken(fault: unknown) {
  const lines: string[] = [];
  const log = createLog({ level: 'error', secrets: [KEY], write: (line) => lines.push(line) });
  const tool = tools.find(({ name }) => name === 'whoami');
  const scene = {
    services: { log, state: () => Promise.reject(fault) },
    account: { secrets: [KEY] },
    elicitation: {},
    mcp: { mcpReq: { signal: new AbortController().signal } },
  };
  const result = await callTool(tool as never, {}, scene as never);
  return { result: JSON.stringify(result), lines: lines.map((line) => JSON.parse(line)) };
}

test('a fault of our own tells the caller nothing of it, and who runs the server what and where', async () => {
  const { result, lines } = await callBroken(new TypeError(`no such thing as ${KEY}`));
  expect(result).toContain(texts.internalErrorOfThisServer);
  expect(result).not.toMatch(/such thing|internal\.test/);
  expect(lines[0]).toMatchObject({
    level: 'error',
    event: 'internal',
    tool: 'whoami',
    reason: expect.stringMatching(/^TypeError: no such thing as \S+$/),
    at: expect.stringMatching(/^mcp\/internal\.test\.ts\S*:\d+:\d+$/),
  });
  expect(JSON.stringify(lines)).not.toContain(KEY);
});

test('what is thrown and is no error is told by its kind', async () => {
  const { lines } = await callBroken('a text');
  expect(lines[0]).toMatchObject({ event: 'internal', reason: 'string' });
});
