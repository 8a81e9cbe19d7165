import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A program whose last word of each line is hovered over. */
export interface Hovering {
  /** Where the program may stand: a folder that finds the packages. */
  readonly folder: string;
  /** The program's lines before the hovered ones. */
  readonly prelude: string;
  /** What is hovered over, such as `client.links.create`. */
  readonly words: readonly string[];
}

/** What an editor on TypeScript 7 shows for each word, by its language server. */
export async function hoverByServer(tsc: string, { folder, prelude, words }: Hovering): Promise<string[]> {
  const file = join(folder, 'hover.mts');
  const text = `${prelude}\n${words.map((word) => `${word};`).join('\n')}\n`;
  writeFileSync(file, text);
  const uri = pathToFileURL(file).href;
  const server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: folder,
  });
  const answers = new Map<number, (result: unknown) => void>();
  let buffer = Buffer.alloc(0);
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  server.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = buffer.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/i.exec(buffer.subarray(0, Math.max(head, 0)).toString())?.[1],
      );
      if (head < 0 || buffer.length < head + 4 + length) return;
      const message = JSON.parse(buffer.subarray(head + 4, head + 4 + length).toString());
      buffer = buffer.subarray(head + 4 + length);
      if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null });
      else answers.get(message.id)?.(message.result);
    }
  });
  let id = 0;
  const ask = (method: string, params: unknown) => {
    id += 1;
    const own = id;
    return new Promise<unknown>((resolve) => {
      answers.set(own, resolve);
      send({ id: own, method, params });
    });
  };
  try {
    await ask('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      // It would ask the registry for the types of everything that is written in JavaScript.
      initializationOptions: { userPreferences: { disableAutomaticTypeAcquisition: true } },
      capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
    });
    send({ method: 'initialized', params: {} });
    send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
    });
    const first = prelude.split('\n').length;
    const shown: string[] = [];
    for (const [index, word] of words.entries()) {
      const position = { line: first + index, character: word.length - 1 };
      shown.push(JSON.stringify(await ask('textDocument/hover', { textDocument: { uri }, position })));
    }
    return shown;
  } finally {
    server.kill();
  }
}

/** The same on TypeScript 5, by its language service. */
export async function hoverByService(
  typescript: string,
  { folder, prelude, words }: Hovering,
): Promise<string[]> {
  const { default: ts } = await import(pathToFileURL(typescript).href);
  const file = join(folder, 'hover.mts');
  const lines = words.map((word) => `${word};`);
  writeFileSync(file, `${prelude}\n${lines.join('\n')}\n`);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name: string) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    realpath: ts.sys.realpath,
  });
  const text = readFileSync(file, 'utf8');
  let at = prelude.length + 1;
  return lines.map((line) => {
    const info = service.getQuickInfoAtPosition(file, text.indexOf(line, at) + line.length - 2);
    at += line.length + 1;
    return ts.displayPartsToString(info?.documentation ?? []);
  });
}
