import { resolve } from 'node:path';
import { version } from '../../src/version.ts';
import { ownStartLine, quoted } from '../setup/start-line.ts';

/** Tells a person at a terminal what started, where its pages are, and how a host gets to it. */
export function greet(options: {
  door: { readonly url: string };
  /** Where the sandbox's pages are; undefined: it runs on the service. */
  pages: string | undefined;
  data: string | undefined;
}): void {
  const { door, pages, data } = options;
  const { command, args } = ownStartLine(version);
  const isHttp = door.url.startsWith('http');
  const kept =
    data === undefined ? 'nothing (--data DIR keeps everything)' : `everything, in ${resolve(data)}`;
  const sandboxArgs = `${pages ? ' --sandbox' : ''}${data === undefined ? '' : ` --data ${quoted(resolve(data))}`}`;
  const address = isHttp
    ? `claude mcp add --transport http docshare ${door.url}`
    : `claude mcp add docshare -- ${[command, ...args].map(quoted).join(' ')}${sandboxArgs}`;
  const lines = [
    `This is Docshare's MCP server${pages ? ', on a sandbox of its own: no key, no real service' : ''}.`,
    isHttp
      ? `It serves assistants at ${door.url}.`
      : 'It waits for an assistant on stdin: one starts it by itself.',
    '',
    ...(pages ? [`  pages in a browser   ${pages}/`, `  kept after its end   ${kept}`] : []),
    `  for Claude Code      ${address}`,
    `  for other hosts      docshare-mcp setup HOST${sandboxArgs} puts it into their settings`,
    '',
    `Ctrl-C ends it.`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
