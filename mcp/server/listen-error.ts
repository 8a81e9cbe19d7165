import { CommandLineError } from './parse-command-line.ts';

/** Codes for a host that is not an address of this machine; another port would not help. */
const HOST_ERROR_CODES = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'];

/** `optionText` names the options that chose the address. */
export function createListenError(optionText: string, code: string | undefined): CommandLineError {
  const next = HOST_ERROR_CODES.includes(code ?? '')
    ? 'Set --host to an address of this machine; 0.0.0.0 means all of them.'
    : 'Choose another port, or 0 for a free one.';
  return new CommandLineError(`${optionText}: the server can't listen there (${code ?? 'unknown'}). ${next}`);
}
