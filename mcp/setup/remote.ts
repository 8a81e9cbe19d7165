import type { Entry, Host } from './hosts.ts';
import { offer } from './offer.ts';
import { SetupError } from './setup-error.ts';
import { quoted } from './start-line.ts';

/** The endpoint of a hosted server, from what a person was given. @throws SetupError for what can't be one. */
export function parseEndpointUrl(given: string): string {
  const text = given.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOwn = url && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isOwn)))
    throw new SetupError('--url takes the https:// address of a hosted server. Nothing was changed.');
  if (url.username || url.password || url.search || url.hash)
    throw new SetupError(
      '--url takes a plain address: no password, no query. The sign-in happens in the browser. Nothing was changed.',
    );
  // People are given the address of the site as often as that of the endpoint.
  return url.pathname === '/' ? `${url.origin}/mcp` : url.href;
}

/** The entry of a server elsewhere, in its host's form. @throws SetupError where the host's file takes none. */
export function remoteEntry(host: Host, url: string): Entry {
  if (!host.remote) throw new SetupError(`${host.noRemote?.(url) ?? host.next} Nothing was changed.`);
  if (host.replaces?.test(url))
    throw new SetupError(`${host.title} would replace a part of ${url}. Nothing was changed.`);
  return host.remote(url);
}

/** What stands in the host's file, in its own form. */
export function remoteText(host: Host, url: string): string {
  const entry = remoteEntry(host, url);
  if (host.form === 'json') return JSON.stringify({ [host.at]: { [offer.name]: entry } }, null, 2);
  const pairs = Object.entries(entry).map(([name, value]) => [name, JSON.stringify(value)] as const);
  if (host.form === 'toml')
    return [`[${host.at}.${offer.name}]`, ...pairs.map(([name, value]) => `${name} = ${value}`)].join('\n');
  return [`${host.at}:`, `  ${offer.name}:`, ...pairs.map(([name, value]) => `    ${name}: ${value}`)].join(
    '\n',
  );
}

/** The host's own command that does the same; undefined where it has none. */
export function remoteCommand(host: Host, url: string): string | undefined {
  const address = /^[\w@%+=:,./-]+$/.test(url) ? url : quoted(url);
  if (host.id === 'claude-code')
    return `claude mcp add --scope user --transport http ${offer.name} ${address}`;
  if (host.id === 'codex') return `codex mcp add ${offer.name} --url ${address}`;
  return undefined;
}

/** The link that adds it at a click; undefined where the host knows none. */
export function remoteLink(host: Host, url: string): string | undefined {
  const entry = remoteEntry(host, url);
  const packed = () => encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
  if (host.id === 'cursor')
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${offer.name}&config=${packed()}`;
  if (host.id === 'vscode')
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: offer.name, ...entry }))}`;
  return undefined;
}
