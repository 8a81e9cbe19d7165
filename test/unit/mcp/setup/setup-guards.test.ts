/** What the setup never does: ask where nobody sees the question, or write what the host would replace. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { hosts } from '../../../../mcp/setup/hosts.ts';
import { promptForLaunchConfig } from '../../../../mcp/setup/launch-config.ts';
import { createPrompter, type Prompter } from '../../../../mcp/setup/prompter.ts';
import { SetupError } from '../../../../mcp/setup/setup-error.ts';
import type { SetupOptions } from '../../../../mcp/setup/setup-options.ts';
import { standIn } from '../../../support/stand-in.ts';

test.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
  [false, false, false],
])('with a terminal for what is typed (%s) and for what is shown (%s) somebody is there: %s', (typed, shown, is) => {
  const terminal = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });
  expect(createPrompter(terminal(typed), terminal(shown)).isInteractive).toBe(is);
});

test.each(hosts.filter(({ placeholderPattern }) => placeholderPattern).map((host) => [host.id, host] as const))(
  '%s is given no address of which it would replace a part',
  async (_, host) => {
    const from = {
      options: standIn<SetupOptions>({
        args: [],
        sandbox: false,
        envKey: false,
        baseUrl: `https://docs.test/$\{env:A}`,
      }),
      start: { command: 'npx', args: ['docshare-mcp'] },
      env: { DOCSHARE_API_KEY: 'key_of_a_test' },
      prompter: standIn<Prompter>({ isInteractive: false }),
      path: '/nowhere/settings.json',
    };
    await expect(promptForLaunchConfig(host, from)).rejects.toThrow(SetupError);
  },
);
