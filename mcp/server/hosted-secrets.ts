import { randomBytes } from 'node:crypto';
import { type Command, CommandLineError } from './parse-command-line.ts';

const MIN_SECRET_LENGTH = 32;
/** Differences between neighbouring characters: random texts have more, repeated words and sequences fewer. */
const MIN_DIFFERENCES = 12;

/**
 * Reads `DOCSHARE_SECRETS`: the first encrypts, all decrypt. Local trials get a random one.
 * @throws CommandLineError that says how to create one.
 */
export function readHostedSecrets(
  { sandbox, publicUrl }: Pick<Command, 'sandbox' | 'publicUrl'>,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const secrets = (env['DOCSHARE_SECRETS'] ?? '').split(/[\s,]+/).filter((secret) => secret !== '');
  if (secrets.length === 0 && (sandbox || publicUrl === undefined))
    return [randomBytes(MIN_SECRET_LENGTH).toString('base64url')];
  if (secrets.length === 0)
    throw new CommandLineError(
      '--hosted needs DOCSHARE_SECRETS, which encrypts tokens. Set it to the output of `openssl rand -base64 32`, the same on all replicas.',
    );
  if (!secrets.every(looksRandom))
    throw new CommandLineError(
      `DOCSHARE_SECRETS: each secret needs at least ${MIN_SECRET_LENGTH} random characters. Create one with \`openssl rand -base64 32\`.`,
    );
  return secrets;
}

/** Tokens let anyone who has one try guesses of the secret, so that words, sequences and repetitions are rejected. */
function looksRandom(secret: string): boolean {
  const codes = [...secret].map((character) => character.charCodeAt(0));
  const differences = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(secret)).length;
  return secret.length >= MIN_SECRET_LENGTH && differences.size >= MIN_DIFFERENCES && kinds > 1;
}
