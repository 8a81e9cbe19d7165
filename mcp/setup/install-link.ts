import { inputs } from './host-entry.ts';
import { createEntry, type Entry, type HostDefinition, type LaunchConfig } from './hosts.ts';
import { serverInfo } from './server-info.ts';

const { apiKey } = serverInfo.settings;

/** Returns the host's install link, without a key, if the host supports one. */
export function getInstallLink(host: HostDefinition, launchConfig: LaunchConfig): string | undefined {
  return INSTALL_LINKS[host.id]?.(createEntry(host, launchConfig), launchConfig);
}

const INSTALL_LINKS: Readonly<Record<string, (entry: Entry, launchConfig: LaunchConfig) => string>> = {
  cursor: (entry) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverInfo.name}&config=${encodeURIComponent(encodeEntry(entry))}`,
  vscode: (entry, { key }) => {
    const config = { name: serverInfo.name, ...entry, ...(key === undefined ? {} : { inputs }) };
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
  },
  'lm-studio': (entry) =>
    `lmstudio://add_mcp?name=${serverInfo.name}&config=${encodeURIComponent(encodeEntry(entry))}`,
  goose: (_, { command, args, key, env }) => {
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
  },
};

function encodeEntry(entry: Entry): string {
  return Buffer.from(JSON.stringify(entry)).toString('base64');
}
