import { createEntry, type Entry, type HostDefinition, keyInput, type LaunchConfig } from './hosts.ts';
import { getRemoteEntry } from './remote-server.ts';
import { serverInfo } from './server-info.ts';

const { apiKey } = serverInfo.settings;

/** Returns the host's install link, without a key, if the host supports one. */
export function getInstallLink(host: HostDefinition, launchConfig: LaunchConfig): string | undefined {
  if (host.id === 'goose') return getGooseLink(launchConfig);
  const inputs = launchConfig.key === undefined ? {} : { inputs: [keyInput] };
  return ENTRY_LINKS[host.id]?.(createEntry(host, launchConfig), inputs);
}

/** Returns the host's install link for a hosted server, if the host supports one. */
export function getRemoteInstallLink(host: HostDefinition, url: string): string | undefined {
  return ENTRY_LINKS[host.id]?.(getRemoteEntry(host, url), {});
}

const ENTRY_LINKS: Readonly<Record<string, (entry: Entry, vscodeInputs: Entry) => string>> = {
  cursor: (entry) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverInfo.name}&config=${encodeEntry(entry)}`,
  vscode: (entry, inputs) =>
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverInfo.name, ...entry, ...inputs }))}`,
  'lm-studio': (entry) => `lmstudio://add_mcp?name=${serverInfo.name}&config=${encodeEntry(entry)}`,
};

function getGooseLink({ command, args, key, env }: LaunchConfig): string {
  const query = [
    ['cmd', command],
    ...args.map((arg) => ['arg', arg]),
    ['id', serverInfo.name],
    ['name', serverInfo.title],
    ['description', serverInfo.description],
    // Goose prompts for each of these and stores them in the keychain.
    ...Object.entries(env).map(([name]) => ['env', `${name}=${serverInfo.settings.baseUrl.description}`]),
    ...(key === undefined ? [] : [['env', `${apiKey.env}=${apiKey.description}`]]),
  ];
  return `goose://extension?${query.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

function encodeEntry(entry: Entry): string {
  return encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
}
