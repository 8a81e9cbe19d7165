import { spawn } from 'node:child_process';

/** A position as in the mutation testing report: lines and columns begin at 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly status?: string;
}

interface Files {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export interface FileRange {
  readonly path: string;
  readonly range?: Mutant['location'];
}

const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';

/** Starts `stryker serve`, which speaks the mutation server protocol: JSON-RPC over stdio. */
export function startStrykerServer(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [STRYKER, 'serve', 'stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const pending = new Map<number, (message: Message) => void>();
  let onProgress: (files: Files) => void = () => undefined;
  let lastId = 0;
  let buffer = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let message = takeMessage(); message; message = takeMessage()) {
      if (message.id !== undefined) pending.get(message.id)?.(message);
      else onProgress(message.params as Files);
    }
  });
  child.on('exit', () => {
    for (const settle of pending.values()) settle({ error: { message: 'Stryker ended early' } });
  });

  function takeMessage(): Message | undefined {
    const headerEnd = buffer.indexOf('\r\n\r\n');
    if (headerEnd < 0) return undefined;
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.toString('latin1', 0, headerEnd))?.[1]);
    const bodyStart = headerEnd + 4;
    if (buffer.length < bodyStart + length) return undefined;
    const body = buffer.toString('utf8', bodyStart, bodyStart + length);
    buffer = buffer.subarray(bodyStart + length);
    return JSON.parse(body) as Message;
  }

  async function call(method: string, params: unknown): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const { promise, resolve } = Promise.withResolvers<Message>();
    pending.set(id, resolve);
    child.stdin.write(`Content-Length: ${body.byteLength}\r\n\r\n`);
    child.stdin.write(body);
    const { result, error } = await promise;
    pending.delete(id);
    if (error) throw new Error(error.message);
    return result;
  }

  return {
    async discover(paths: readonly string[]): Promise<Files['files']> {
      return ((await call('discover', { files: paths.map((path) => ({ path })) })) as Files).files;
    },
    /** Tests the mutants in the ranges; `onResult` gets each as soon as it is tested. */
    async test(ranges: readonly FileRange[], onResult: (path: string, mutant: Mutant) => void): Promise<void> {
      onProgress = ({ files }) => {
        for (const [path, { mutants }] of Object.entries(files)) for (const mutant of mutants) onResult(path, mutant);
      };
      await call('mutationTest', { files: ranges });
    },
    stop: () => child.kill('SIGTERM'),
  };
}
