import { CommandLineError } from './parse-command-line.ts';

/** What the system says of a host that is none of this machine's: there no port helps. */
const HOST_ERROR_CODES = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'];

/** `optionText`: the options that named the place. */
export function createListenError(optionText: string, code: string | undefined): CommandLineError {
  const next = HOST_ERROR_CODES.includes(code ?? '')
    ? "Give an address of this machine's own by --host; 0.0.0.0 is all of them."
    : 'Choose another port; 0 picks a free one.';
  return new CommandLineError(`${optionText}: the server can't listen there (${code ?? 'unknown'}). ${next}`);
}
