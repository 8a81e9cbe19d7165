import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HoverRequest } from './language-service.ts';

/** Language server of TypeScript 7, which loads the program of a folder once for all requests. */
export interface LanguageServer {
  /** Returns the hover text of each word of a program, which is written to `hover.mts`. */
  hover(program: Pick<HoverRequest, 'prelude' | 'expressions'>): Promise<string[]>;
  /** Returns the errors of a file with their lines. */
  getErrors(file: string): Promise<string[]>;
  close(): Promise<void>;
}

const ERROR = 1;

/** @param tsc path of the compiler @param folder with a `tsconfig.json` that includes `hover.mts` */
export async function startLanguageServer(tsc: string, folder: string): Promise<LanguageServer> {
  const server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'], cwd: folder });
  const ended = once(server, 'exit');
  const pendingRequests = new Map<number, (result: unknown) => void>();
  let buffer = Buffer.alloc(0);
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  server.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = buffer.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, Math.max(head, 0)).toString())?.[1]);
      if (head < 0 || buffer.length < head + 4 + length) return;
      const message = JSON.parse(buffer.subarray(head + 4, head + 4 + length).toString());
      buffer = buffer.subarray(head + 4 + length);
      if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null });
      else pendingRequests.get(message.id)?.(message.result);
    }
  });
  let id = 0;
  const sendRequest = (method: string, params: unknown) => {
    id += 1;
    const requestId = id;
    return new Promise<unknown>((resolve) => {
      pendingRequests.set(requestId, resolve);
      send({ id: requestId, method, params });
    });
  };
  await sendRequest('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    // Otherwise it downloads types for every JavaScript module.
    initializationOptions: { userPreferences: { disableAutomaticTypeAcquisition: true } },
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] }, diagnostic: {} } },
  });
  send({ method: 'initialized', params: {} });
  const open = (file: string, text: string) => {
    const uri = pathToFileURL(file).href;
    const textDocument = { uri, languageId: 'typescript', version: 1, text };
    send({ method: 'textDocument/didOpen', params: { textDocument } });
    return { uri };
  };
  return {
    hover: async ({ prelude, expressions }) => {
      const file = join(folder, 'hover.mts');
      const text = `${prelude}\n${expressions.map((expression) => `${expression};`).join('\n')}\n`;
      writeFileSync(file, text);
      const textDocument = open(file, text);
      const first = prelude.split('\n').length;
      const hovers: string[] = [];
      for (const [index, expression] of expressions.entries()) {
        const position = { line: first + index, character: expression.length - 1 };
        hovers.push(JSON.stringify(await sendRequest('textDocument/hover', { textDocument, position })));
      }
      return hovers;
    },
    getErrors: async (file) => {
      const textDocument = open(file, readFileSync(file, 'utf8'));
      const { items } = (await sendRequest('textDocument/diagnostic', { textDocument })) as {
        items: { severity: number; message: string; range: { start: { line: number } } }[];
      };
      send({ method: 'textDocument/didClose', params: { textDocument } });
      return items
        .filter(({ severity }) => severity === ERROR)
        .map(({ message, range }) => `${file}:${range.start.line + 1} ${message}`);
    },
    close: async () => {
      server.kill();
      await ended;
    },
  };
}
