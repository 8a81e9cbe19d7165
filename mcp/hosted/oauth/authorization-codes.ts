import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { StateProvider } from '../../state/shared-state.ts';
import type { ClaimsEncryptor } from './claims-encryptor.ts';
import type { Grants } from './grants.ts';
import { OAuthRequestError } from './oauth-request-error.ts';
import { Grant } from './tokens.ts';

const PendingCode = z.object({ grant: Grant, challenge: z.string(), redirect: z.string() });
type PendingCode = z.infer<typeof PendingCode>;

/** Authorization codes: usable once, within two minutes, with the PKCE verifier. */
export interface AuthorizationCodes {
  /** One consent form gives one code, however often it is sent; until that code is used, the last choices count. */
  issue(pending: PendingCode, form: string): Promise<string>;
  /** @throws OAuthRequestError `invalid_grant`. A code used twice also revokes its grant. */
  redeem(input: { code: string; verifier: string; redirect: string | undefined; client: string }): Promise<Grant>;
}

const CODE_TTL_MS = 2 * 60_000;
/** How long a form of the sign-in is valid. */
export const FORM_TTL_MS = 60 * 60_000;

/** The code is random; its data is stored encrypted in the state, so that no URL contains a key. */
export function createAuthorizationCodes(options: {
  state: StateProvider;
  claimsEncryptor: ClaimsEncryptor;
  grants: Grants;
  now?: () => number;
}): AuthorizationCodes {
  const { state: getState, claimsEncryptor, grants, now = Date.now } = options;
  const getStateKey = (code: string) => `code ${createHash('sha256').update(code).digest('base64url')}`;
  async function findPending(name: string): Promise<PendingCode | undefined> {
    const sealed = (await (await getState()).get(name))?.['sealed'];
    return typeof sealed === 'string'
      ? PendingCode.safeParse(await claimsEncryptor.decrypt('grant', sealed)).data
      : undefined;
  }

  return {
    async issue(pending, form) {
      const state = await getState();
      const newCode = randomBytes(32).toString('base64url');
      const formKey = `form ${createHash('sha256').update(form).digest('base64url')}`;
      const earlierCode = (await state.putIfAbsent(formKey, { code: newCode }, now() + FORM_TTL_MS))?.['code'];
      const code = typeof earlierCode === 'string' ? earlierCode : newCode;
      const name = getStateKey(code);
      // If the answer was lost and the person retries late, the code is valid again.
      if (!(await state.get(`spent ${name}`))) {
        // The same grant, so that a second use of the code revokes it.
        const { id } = (await findPending(name))?.grant ?? pending.grant;
        const sealed = await claimsEncryptor.encrypt(
          'grant',
          { ...pending, grant: { ...pending.grant, id } },
          CODE_TTL_MS,
        );
        await state.put(name, { sealed }, now() + CODE_TTL_MS);
      }
      return code;
    },
    async redeem({ code, verifier, redirect, client }) {
      const state = await getState();
      const name = getStateKey(code);
      const pending = await findPending(name);
      if (!pending) throw createInvalidGrantError('The code is unknown or older than two minutes. Sign in again.');
      const { grant, challenge, redirect: issuedRedirect } = pending;
      if (grant.client !== client) throw createInvalidGrantError('The code was issued to another client.');
      if (redirect !== undefined && redirect !== issuedRedirect)
        throw createInvalidGrantError('redirect_uri differs from the authorization request.');
      if (!isCodeVerifierValid(verifier, challenge))
        throw createInvalidGrantError('code_verifier does not match the code_challenge.');
      if (await state.putIfAbsent(`spent ${name}`, {}, now() + FORM_TTL_MS)) {
        await grants.revoke(grant.id);
        throw createInvalidGrantError('The code was already used, so its tokens are revoked. Sign in again.');
      }
      return grant;
    },
  };
}

/** PKCE with S256 (RFC 7636 §4.6). */
function isCodeVerifierValid(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const actual = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function createInvalidGrantError(message: string): OAuthRequestError {
  return new OAuthRequestError('invalid_grant', message);
}
