import { readdirSync, readFileSync } from 'node:fs';
import evaluation from '../evals/results.json' with { type: 'json' };
import { LEARN_OPTIONS } from '../learn/cli/learn-options.ts';
import { OPTIONS } from '../mcp/server/parse-command-line.ts';
import { hosts } from '../mcp/setup/hosts.ts';
import { getUserFolders } from '../mcp/setup/user-folders.ts';
import { getInputSchema } from '../mcp/tool/arguments.ts';
import { tools } from '../mcp/tools/index.ts';
import { PRESETS, PROFILE_NAMES, SWITCH_NAMES, SWITCHES } from '../sandbox/index.ts';
import { PAGING_PRESET_NAMES, PAGING_PRESETS } from '../sandbox/profile/paging-presets.ts';
import { SANDBOX_OPTIONS } from '../sandbox/run-sandbox.ts';
import { describeOptions, type Options } from '../src/command-line.ts';
import { operations } from '../src/operations/index.ts';
import { FULL_PAGES } from '../test/support/full-pages.ts';
import { DOUBTFUL_PAGES, GUESSED_PAGES } from '../test/support/guessed-pages.ts';
import { BROKEN_ODDITIES, SOUND_ODDITIES } from '../test/support/paging-oddities.ts';
import { creates } from '../zapier/creates/index.ts';
import { searches } from '../zapier/searches/index.ts';
import { triggers } from '../zapier/triggers/index.ts';
import { describeSetting } from './switch-descriptions.ts';
import { getFormScopes, getStepScopes } from './zapier-scopes.ts';

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatRow = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [formatRow(header), formatRow(header.map(() => '---')), ...rows.map(formatRow)].join('\n');
}

function optionsTable(options: Options): string {
  return table(
    ['Option', 'Meaning'],
    describeOptions(options).map(([option, meaning]) => [`\`${option}\``, meaning]),
  );
}

/** Paths of hosts' files on each system, with `~` for the home folder. */
const SYSTEMS = [
  ['macOS', 'darwin', { HOME: '/HOME' }],
  ['Windows', 'win32', { USERPROFILE: '%USERPROFILE%', APPDATA: '%APPDATA%' }],
  ['Linux', 'linux', { HOME: '/HOME' }],
] as const;

/** Scopes that a tool over several groups needs. */
const SPAN_SCOPES = { groups: 'any read scope', any: 'none' } as const;

/** Text of each generated block, by its name. */
export const blocks: Readonly<Record<string, () => string>> = {
  zapier: () =>
    table(
      ['Kind', 'Name', 'What it does'],
      [
        ...triggers.map((entry) => ['Trigger', entry] as const),
        ...creates.map((entry) => ['Action', entry] as const),
        ...searches.map((entry) => ['Search', entry] as const),
      ]
        .filter(([, { display }]) => !display.hidden)
        .map(([kind, { display }]) => [kind, display.label ?? '', display.description ?? '']),
    ),

  evaluation: () =>
    table(
      ['Server', 'Tries', 'Success', 'In every try', 'Harm', 'Calls', 'Tokens', 'Tool list'],
      evaluation.servers.map((row) => [
        row.server,
        String(row.tries),
        ...[row.success, row.passEvery, row.harm].map((part) => `${(part * 100).toFixed(1)} %`),
        row.callsPerJob.toFixed(2),
        ...[row.tokensPerJob, row.toolListTokens].map((count) => count.toLocaleString('en')),
      ]),
    ),

  zapierScopes: () =>
    table(
      ['Step', 'Permissions', 'For its drop-down lists'],
      [...triggers, ...creates, ...searches]
        .filter(({ display }) => !display.hidden)
        .map(({ key, display, operation }) => {
          const stepScopes = getStepScopes(key);
          const formScopes = getFormScopes(operation.inputFields ?? []).filter((scope) => !stepScopes.includes(scope));
          const formatScopes = (scopes: readonly string[], fallback: string) =>
            scopes.map((scope) => `\`${scope}\``).join(', ') || fallback;
          return [display.label ?? '', formatScopes(stepScopes, 'depends on the path'), formatScopes(formScopes, '')];
        }),
    ),

  operations: () =>
    table(
      ['Call', 'Endpoint', 'Scope', 'Effect'],
      operations.map(({ name, operation }) => [
        `\`client.${name}()\``,
        `\`${operation.route}\``,
        `\`${operation.scope}\``,
        operation.effect,
      ]),
    ),

  tools: () =>
    table(
      ['Tool', 'What it does', 'Arguments', 'Scope', 'Effect'],
      tools.map((tool) => [
        `\`${tool.name}\``,
        tool.description,
        Object.entries(getInputSchema(tool, false).shape)
          .map(([name, schema]) => `\`${name}\`${schema.isOptional() ? '?' : ''}`)
          .join(', '),
        tool.spans === undefined ? `\`${tool.scope}\`` : SPAN_SCOPES[tool.spans],
        tool.annotations.readOnlyHint ? 'reads' : tool.confirmation ? 'writes, asks first' : 'writes',
      ]),
    ),

  options: () => optionsTable(OPTIONS),
  learnOptions: () => optionsTable(LEARN_OPTIONS),
  sandboxOptions: () => optionsTable(SANDBOX_OPTIONS),

  hosts: () =>
    hosts
      .map((host) => {
        const files = SYSTEMS.map(([system, platform, env]) => {
          const [file = ''] = host.files(getUserFolders(env, platform));
          return [system, file.replaceAll('/HOME', '~')] as const;
        });
        const [mac = '', windows = '', linux = ''] = files.map(([, file]) => file);
        const configPaths = mac === linux ? `\`${mac}\` (on Windows` : `\`${mac}\` (macOS), \`${linux}\` (Linux) or`;
        const end = mac === linux ? ')' : ' (Windows)';
        const location = `\`${host.serversKey}\` in ${configPaths} \`${windows}\`${end}`;
        const key = host.asksForKey
          ? 'The key is not in this file: the host asks for it.'
          : host.form !== 'json'
            ? 'The host reads the key from its environment (`env_vars`).'
            : host.getKeyReference
              ? 'The key is stored in this file, or with `--env-key` in the environment of the host.'
              : 'The key is stored in this file.';
        const action =
          host.form === 'json'
            ? `adds the server to ${location}`
            : `prints the entry for ${location}, and a ${host.id === 'codex' ? 'command' : 'link'} that adds it`;
        return `### ${host.title}\n\n\`docshare-mcp setup ${host.id}\` ${action}. ${key} ${host.nextSteps}`;
      })
      .join('\n\n'),

  assumptions: () => {
    const otherFiles = readdirSync('src/assumptions').filter((name) => name !== 'index.ts');
    const texts = ['index.ts', ...otherFiles.sort()].map((name) => readFileSync(`src/assumptions/${name}`, 'utf8'));
    const text = texts.join('\n');
    const matches = [...text.matchAll(/\/\*\* (§(?:(?!\*\/)[\s\S])*) \*\/\nexport (?:const|function) (\w+)/g)];
    return table(
      ['What is assumed', 'Name in `src/assumptions`'],
      matches.map(([, description = '', name = '']) => [description.replace(/\s*\n \* ?/g, ' '), `\`${name}\``]),
    );
  },

  paging: () =>
    table(
      ['Pagination of the service', 'Outcome', 'Extra requests, beyond one per page'],
      [
        ...PAGING_PRESET_NAMES.map((name) => [
          PAGING_PRESETS[name].description,
          'complete',
          `${PAGING_PRESETS[name].extra ?? 0}`,
        ]),
      ],
    ),

  oddLists: () =>
    table(
      ['A service', 'Outcome for 57 entries', 'Requests'],
      Object.entries({ ...SOUND_ODDITIES, ...FULL_PAGES, ...GUESSED_PAGES, ...BROKEN_ODDITIES, ...DOUBTFUL_PAGES }).map(
        ([name, { stops, requests }]) => [
          name,
          stops ? `**stops** with \`IncompleteListError\` after ${stops.read}` : 'complete',
          `${requests}`,
        ],
      ),
    ),

  switches: () =>
    table(
      ['Switch', 'Decides', 'Settings (the first is the default)', 'Open in'],
      SWITCH_NAMES.map((name) => {
        const { section, decides, settings } = SWITCHES[name];
        const list = settings.map((setting) => `\`${setting}\`: ${describeSetting(name, setting)}`).join('<br>');
        return [`\`${name}\``, decides, list, section];
      }),
    ),

  presets: () =>
    table(
      ['Preset', 'What it sets'],
      PROFILE_NAMES.map((name) => {
        const settings = Object.entries(PRESETS[name]).map(([key, setting]) => `\`${key}=${setting}\``);
        return [`\`${name}\``, settings.join(', ') || 'nothing: every switch at its default'];
      }),
    ),
};
