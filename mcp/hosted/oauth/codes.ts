import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { OpenState } from '../../state/shared-state.ts';
import type { Grants } from './grants.ts';
import { OAuthFault } from './oauth-fault.ts';
import type { Seals } from './seal.ts';
import { Grant } from './tokens.ts';

const Pending = z.object({ grant: Grant, challenge: z.string(), redirect: z.string() });
type Pending = z.infer<typeof Pending>;

/** Codes that a host exchanges for tokens: once, within two minutes, with the verifier that only it has. */
export interface Codes {
  mint(pending: Pending): Promise<string>;
  /** @throws OAuthFault `invalid_grant`; where the code was spent already, its grant ends. */
  redeem(given: {
    code: string;
    verifier: string;
    redirect: string | undefined;
    client: string;
  }): Promise<Grant>;
}

const CODE_TTL_MS = 2 * 60_000;

/** The code is nothing but random: what it stands for waits sealed in the state, so that no address holds a key. */
export function createCodes(options: {
  state: OpenState;
  seals: Seals;
  grants: Grants;
  now?: () => number;
}): Codes {
  const { state: open, seals, grants, now = Date.now } = options;
  const getStateKey = (code: string) => `code ${createHash('sha256').update(code).digest('base64url')}`;
  return {
    async mint(pending) {
      const code = randomBytes(32).toString('base64url');
      const sealed = await seals.seal('grant', pending, CODE_TTL_MS);
      await (await open()).put(getStateKey(code), { sealed }, now() + CODE_TTL_MS);
      return code;
    },
    async redeem({ code, verifier, redirect, client }) {
      const state = await open();
      const name = getStateKey(code);
      const sealed = (await state.get(name))?.['sealed'];
      const pending = Pending.safeParse(
        typeof sealed === 'string' ? await seals.open('grant', sealed) : undefined,
      );
      if (!pending.success) throw invalid('The code is unknown or older than two minutes: sign in again.');
      const { grant, challenge, redirect: own } = pending.data;
      if (grant.client !== client) throw invalid('The code was given to another client.');
      if (redirect !== undefined && redirect !== own)
        throw invalid('redirect_uri is not the one that the code was asked for with.');
      if (!isVerified(verifier, challenge)) throw invalid('code_verifier does not fit the code_challenge.');
      if (await state.claim(`spent ${name}`, {}, now() + 2 * CODE_TTL_MS)) {
        await grants.end(grant.id);
        throw invalid('The code was used already; what it gave is revoked. Sign in again.');
      }
      return grant;
    },
  };
}

/** PKCE with S256 (RFC 7636 §4.6). */
function isVerified(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const own = createHash('sha256').update(verifier).digest();
  const wanted = Buffer.from(challenge, 'base64url');
  return wanted.length === own.length && timingSafeEqual(wanted, own);
}

function invalid(message: string): OAuthFault {
  return new OAuthFault('invalid_grant', message);
}
