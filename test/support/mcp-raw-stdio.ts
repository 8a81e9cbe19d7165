/** A stdio server in this process, and a host that can send any line. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { openStdio } from '../../mcp/server/running-server.ts';
import { assemble } from './mcp-servers.ts';

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: object;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export async function openRawStdio(args: readonly string[] = [], env: Record<string, string> = {}) {
  const server = await assemble(['--state', 'memory', ...args], env, { minAnswerMs: 0 });
  const [input, wire] = [new PassThrough(), new PassThrough()];
  const messages: Message[] = [];
  const lines = createInterface({ input: wire }).on('line', (line) => messages.push(JSON.parse(line)));
  const entry = await openStdio(server.factory, { input, protocolOutput: wire, log: server.log, end: server.end });
  let read = 0;
  return {
    entry,
    /** All messages that the server has sent. */
    messages,
    /** Sends a message as JSON, or a line unchanged. */
    send(line: object | string | Buffer): void {
      input.write(typeof line === 'string' || Buffer.isBuffer(line) ? line : JSON.stringify(line));
      input.write('\n');
    },
    /** Waits for the server's next message. */
    async next(): Promise<Message> {
      while (messages.length <= read) await once(lines, 'line');
      read += 1;
      return messages[read - 1] as Message;
    },
    /** Closes the input, as a host that exits does. */
    async closeInput(): Promise<void> {
      input.end();
      await entry.ended;
    },
    close: () => entry.close().then(server.close),
  };
}
