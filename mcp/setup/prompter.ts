import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Prompts for a person at the terminal. */
export interface Prompter {
  readonly isInteractive: boolean;
  confirm(question: string): Promise<boolean>;
  /** Returns the typed text, hidden if `secret`. */
  ask(question: string, options?: { secret?: boolean }): Promise<string>;
}

type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** Creates a prompter; it is interactive only if input and output are terminals. */
export function createPrompter(
  input: Terminal<NodeJS.ReadableStream>,
  output: Terminal<NodeJS.WritableStream>,
): Prompter {
  const ask = async (question: string, { secret = false } = {}) => {
    if (secret) output.write(question);
    const mutedOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input, output: secret ? mutedOutput : output, terminal: input.isTTY === true });
    try {
      // Ctrl-D counts as an empty answer.
      const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
      return (await Promise.race([lines.question(secret ? '' : question), closed])).trim();
    } finally {
      lines.close();
      if (secret) output.write('\n');
    }
  };
  return {
    isInteractive: input.isTTY === true && output.isTTY === true,
    ask,
    confirm: async (question) => /^y(es)?$/i.test(await ask(`${question} [y/N] `)),
  };
}
