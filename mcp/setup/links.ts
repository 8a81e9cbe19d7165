import { inputs } from './entry-text.ts';
import { type Entry, entryFor, type Host, type Wanted } from './hosts.ts';
import { offer } from './offer.ts';

const { apiKey } = offer.settings;

/** The link that adds the server to its host at a click; undefined where the host knows none. No key stands in it. */
export function linkFor(host: Host, wanted: Wanted): string | undefined {
  return LINKS[host.id]?.(entryFor(host, wanted), wanted);
}

const LINKS: Readonly<Record<string, (entry: Entry, wanted: Wanted) => string>> = {
  cursor: (entry) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=${offer.name}&config=${encodeURIComponent(base64(entry))}`,
  vscode: (entry, { key }) => {
    const config = { name: offer.name, ...entry, ...(key === undefined ? {} : { inputs }) };
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
  },
  'lm-studio': (entry) => `lmstudio://add_mcp?name=${offer.name}&config=${encodeURIComponent(base64(entry))}`,
  goose: (_, { command, args, key, env }) => {
    const query = [
      ['cmd', command],
      ...args.map((arg) => ['arg', arg]),
      ['id', offer.name],
      ['name', offer.title],
      ['description', offer.description],
      // Goose asks for each of these and keeps them in the keychain.
      ...Object.entries(env).map(([name]) => ['env', `${name}=${offer.settings.baseUrl.description}`]),
      ...(key === undefined ? [] : [['env', `${apiKey.env}=${apiKey.description}`]]),
    ];
    return `goose://extension?${query.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  },
};

function base64(entry: Entry): string {
  return Buffer.from(JSON.stringify(entry)).toString('base64');
}
