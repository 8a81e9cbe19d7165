import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** A person at the terminal, if there is one. */
export interface Prompter {
  readonly isInteractive: boolean;
  confirm(question: string): Promise<boolean>;
  /** What is typed; nothing of it is shown where it is secret. */
  ask(question: string, options?: { secret?: boolean }): Promise<string>;
}

/** A stream that says whether it is a terminal's. */
type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** The person behind a terminal. Where input or output is none, nobody is there. */
export function createPrompter(
  input: Terminal<NodeJS.ReadableStream>,
  output: Terminal<NodeJS.WritableStream>,
): Prompter {
  const ask = async (question: string, { secret = false } = {}) => {
    if (secret) output.write(question);
    const mutedOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({
      input,
      output: secret ? mutedOutput : output,
      terminal: input.isTTY === true,
    });
    try {
      // Ctrl-D is no answer.
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
