/** A host's file under the hands of the setup: what others wrote stays, and its person hears what was done to it. */
import { chmodSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readConfig, updateConfig } from '../../../../mcp/setup/config-file.ts';
import { removeEntry } from '../../../../mcp/setup/host-entry.ts';
import { type HostDefinition, hosts, KEY_INPUT } from '../../../../mcp/setup/hosts.ts';
import { createPrompter, type Prompter } from '../../../../mcp/setup/prompter.ts';
import { SetupError } from '../../../../mcp/setup/setup-error.ts';
import { texts } from '../../../mcp/texts.ts';
import { newHome, nobody, setup, writeIn } from '../../../support/setup-run.ts';

const says = (word: boolean): Prompter => ({ ...nobody, isInteractive: true, confirm: async () => word });

test('what another program writes while the change is thought about is not lost: it begins anew', async () => {
  const file = join(newHome(), 'settings.json');
  writeFileSync(file, 'one');
  const seen: (string | undefined)[] = [];
  const done = await updateConfig(file, ({ text }) => {
    seen.push(text);
    if (seen.length === 1) writeFileSync(file, 'two');
    return { text: `${text} more` };
  });
  expect([done, seen, readFileSync(file, 'utf8')]).toEqual([true, ['one', 'two'], 'two more']);
});

test('a file that never comes to rest is left as it is after five tries', async () => {
  const file = join(newHome(), 'settings.json');
  let tries = 0;
  const changing = updateConfig(file, () => {
    tries += 1;
    writeFileSync(file, `${tries}`);
    return { text: 'ours' };
  });
  await expect(changing).rejects.toThrow(texts.beingChangedAnotherProgram);
  expect([tries, readFileSync(file, 'utf8'), existsSync(`${file}.docshare-new`)]).toEqual([5, '5', false]);
});

test('what is too large to be settings is not read', async () => {
  const file = join(newHome(), 'settings.json');
  writeFileSync(file, '{}');
  truncateSync(file, 50 * 1024 * 1024 + 1);
  await expect(readConfig(file)).rejects.toThrow(SetupError);
});

test.each([
  [true, 0],
  [false, 1],
])('a person who says %s to a change, and to its end, is heard: exit code %i', async (word, code) => {
  const home = newHome();
  const file = writeIn(home, 'cursor', '{}\n');
  const put = await setup(home, ['cursor'], { person: says(word) });
  expect([put.code, readFileSync(file, 'utf8') === '{}\n']).toEqual([code, !word]);
  await setup(home, ['cursor', '--yes']);
  const removed = await setup(home, ['cursor', '--remove'], { person: says(word) });
  expect([removed.code, readFileSync(file, 'utf8') === '{}\n']).toEqual([code, word]);
});

test('a key is said to stand in the file where it will, and not where the host reads it elsewhere', async () => {
  const said = async (...more: string[]) => (await setup(newHome(), ['cursor', ...more], { person: says(true) })).out;
  expect(await said()).toContain(texts.keyWillWrittenFile);
  expect(await said('--env-key')).not.toContain(texts.theKeyWillBeWritten);
});

test.each([
  ['its group', 0o640],
  ['everybody', 0o604],
])('that %s can read a key in its file is said', async (_, mode) => {
  const home = newHome();
  const file = writeIn(home, 'cursor', '{}');
  chmodSync(file, mode);
  expect((await setup(home, ['cursor', '--yes'])).out).toContain(texts.otherUsersMachineRead);
  expect((await setup(home, ['cursor', '--yes', '--env-key'])).out).not.toContain(texts.otherUsersOfThisMachine);
  chmodSync(file, 0o600);
  expect((await setup(home, ['cursor', '--yes'])).out).not.toContain(texts.otherUsersOfThisMachine);
});

test.each([
  ['stays while another server asks by it', `$\{input:${KEY_INPUT}}`, true],
  ['goes with the last that asks by it', 'a key of its own', false],
])('the question for the key %s', (_, key, stays) => {
  const host = hosts.find(({ id }) => id === 'vscode') as HostDefinition;
  const text = JSON.stringify({
    servers: { docshare: { command: 'npx' }, mine: { command: 'npx', env: { KEY: key } } },
    inputs: [{ id: 'docshare-key' }],
  });
  const left = JSON.parse(removeEntry(text, { host, name: 'mcp.json' }));
  expect(Object.keys(left.servers)).toEqual(['mine']);
  expect(left.inputs).toHaveLength(stays ? 1 : 0);
});

test('who ends the input in the place of an answer has given none', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: false });
  const asked = createPrompter(input, new PassThrough()).ask('Base URL: ');
  input.end();
  expect(await asked).toBe('');
});
