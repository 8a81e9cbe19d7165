import { resolve } from 'node:path';
import { version } from '../../src/version.ts';
import { getCurrentLaunchCommand, shellQuote } from '../setup/launch-command.ts';

/** Tells a person at a terminal what started, where its pages are, and how a host gets to it. */
export function printBanner(options: {
  server: { readonly url: string };
  /** Where the sandbox's pages are; undefined: it runs on the service. */
  pagesUrl: string | undefined;
  data: string | undefined;
}): void {
  const { server, pagesUrl, data } = options;
  const { command, args } = getCurrentLaunchCommand(version);
  const isHttp = server.url.startsWith('http');
  const storageText =
    data === undefined ? 'nothing (--data DIR keeps everything)' : `everything, in ${resolve(data)}`;
  const sandboxArgs = `${pagesUrl ? ' --sandbox' : ''}${data === undefined ? '' : ` --data ${shellQuote(resolve(data))}`}`;
  const addCommand = isHttp
    ? `claude mcp add --transport http docshare ${server.url}`
    : `claude mcp add docshare -- ${[command, ...args].map(shellQuote).join(' ')}${sandboxArgs}`;
  const lines = [
    `This is Docshare's MCP server${pagesUrl ? ', on a sandbox of its own: no key, no real service' : ''}.`,
    isHttp
      ? `It serves assistants at ${server.url}.`
      : 'It waits for an assistant on stdin: one starts it by itself.',
    '',
    ...(pagesUrl ? [`  pages in a browser   ${pagesUrl}/`, `  kept after its end   ${storageText}`] : []),
    `  for Claude Code      ${addCommand}`,
    `  for other hosts      docshare-mcp setup HOST${sandboxArgs} puts it into their settings`,
    '',
    `Ctrl-C ends it.`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
