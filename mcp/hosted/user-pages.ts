import { createConfirmationRequests } from '../pages/confirmation-requests.ts';
import type { HostedDependencies } from '../server/assemble-server.ts';
import type { ServerSettings, UserPages } from '../server-factory.ts';
import { createDownloadTickets } from './file-transfer/download-tickets.ts';
import { createTransferSlots } from './file-transfer/transfer-slots.ts';
import { createUploadTickets } from './file-transfer/upload-tickets.ts';
import { type Grant, getSignInId, isAgent } from './oauth/tokens.ts';

type UserPageStores = ReturnType<typeof createUserPageStores>;

interface UserPageStoresOptions {
  readonly dependencies: HostedDependencies;
  readonly issuer: string;
  readonly now: () => number;
}

/** Stores behind the pages that calls open for people: confirmations, uploads and downloads. */
export function createUserPageStores({ dependencies, issuer, now }: UserPageStoresOptions) {
  const { state } = dependencies.services;
  const createUrlBuilder = (path: string) => (token: string) => `${issuer}/${path}/${token}`;
  return {
    confirmationRequests: createConfirmationRequests({ state, getUrl: createUrlBuilder('confirm'), now }),
    uploadTickets: createUploadTickets({ state, getUploadUrl: createUrlBuilder('upload'), now }),
    downloadTickets: createDownloadTickets({ state, getUrl: createUrlBuilder('download'), now }),
    transferSlots: createTransferSlots(),
  };
}

/** Page services for the calls of one grant. */
export function createUserPagesForGrant(
  { confirmationRequests, uploadTickets, downloadTickets, transferSlots }: UserPageStores,
  { grant, dependencies }: { grant: Grant; dependencies: HostedDependencies },
): NonNullable<ServerSettings['userPages']> {
  const { id, name, browser, scopes, subject } = grant;
  const signIn = getSignInId(grant);
  return (account, workspace): UserPages => {
    const [apiKey = ''] = account.secrets;
    const owner = { grant: id, signIn, apiKey, scopes, subject, workspace };
    const getRequester = async () => {
      const { secret } = await dependencies.services.state();
      return { grant: signIn, person: subject, account: account.getSharedFingerprint(secret), browser };
    };
    return {
      signIn,
      appName: name,
      isAgent: isAgent(grant),
      confirmationPage: {
        needsKey: browser === '',
        openQuestion: async (request) => confirmationRequests.findOrCreate(request, await getRequester()),
        isDecided: async (binding) => confirmationRequests.isDecided(binding, await getRequester()),
      },
      fileTransfer: {
        ...uploadTickets.forOwner(owner),
        ...downloadTickets.forOwner(owner),
        startFetch: () => transferSlots.acquire(signIn),
      },
    };
  };
}

/**
 * Returns whether a request uploads a file and may take long. Matches the URL as sent: a parser would resolve
 * dots in it.
 */
export function isUploadRequest(request: { method?: string | undefined; url?: string | undefined }): boolean {
  const { method = '', url = '' } = request;
  return method === 'PUT' && /^\/upload\/[\w-]+(\?|$)/.test(url);
}

/** Hides the token of a one-time URL, which is a secret, from logs. */
export function redactPath(path: string): string {
  return path.replace(/^(\/(?:confirm|upload|download)\/).*/, '$1…');
}
