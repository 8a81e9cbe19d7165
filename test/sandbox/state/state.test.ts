import { expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { closeAfterTest } from '../../support/cleanup.ts';

const start = (options: SandboxOptions = {}) => closeAfterTest(createSandbox(options));

const send = async (sandbox: Sandbox, path: string, body?: object) =>
  (await sendJson(sandbox, { key: sandbox.key(), method: body ? 'POST' : 'GET', path, body })).body;

test('an empty sandbox has nothing', async () => {
  const sandbox = await start({ data: 'empty' });
  expect(await send(sandbox, '/documents')).toEqual({ data: [], has_more: false, next_cursor: null });
});

test('a snapshot restores stored data, including uploads and the profile, any number of times', async () => {
  const sandbox = await start({ data: 'empty' });
  const { id } = await send(sandbox, '/documents', { name: 'Kept', content: 'aGVsbG8=' });
  const snapshot = sandbox.snapshot();
  for (const round of [1, 2]) {
    await send(sandbox, '/rooms', { name: `R${round}` });
    sandbox.use('numeric');
    sandbox.restore(snapshot);
    expect(await send(sandbox, '/rooms')).toMatchObject({ data: [] });
    const { download_url } = await send(sandbox, `/documents/${id}`);
    expect(await (await fetch(download_url)).text()).toBe('hello');
  }
});

test('the real clock runs and can be moved forward, and the manual clock only moves on request', async () => {
  const [real, manual] = await Promise.all([start(), start({ clock: 'manual' })]);
  const [realStart, manualStart] = [real.clock.now(), manual.clock.now()];
  await real.clock.advance(3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(real.clock.now() - realStart).toBeGreaterThanOrEqual(3_600_015);
  await manual.clock.advance(500);
  expect(manual.clock.now() - manualStart).toBe(500);
  await expect(manual.clock.advance(-1)).rejects.toThrow('only moves forward');
});
