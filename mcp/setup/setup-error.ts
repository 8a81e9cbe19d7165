import { CommandLineError } from '../../src/command-line.ts';

/** Setup failed without changing anything; the message says what to do. */
export class SetupError extends CommandLineError {}
