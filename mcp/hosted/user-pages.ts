import type { HostedDependencies } from '../server/start-server.ts';
import type { ServerSettings, UserPages } from '../server-factory.ts';
import { type ConfirmationRequests, createConfirmationRequests } from './confirm/confirmation-requests.ts';
import { createDownloadTickets, type DownloadTickets } from './file-transfer/download-tickets.ts';
import { createUploadTickets, type UploadTickets } from './file-transfer/upload-tickets.ts';
import type { Grant } from './oauth/tokens.ts';

/** What calls leave for people at addresses of this server: questions, places for files, files. */
export interface UserPageStores {
  readonly confirmationRequests: ConfirmationRequests;
  readonly uploadTickets: UploadTickets;
  readonly downloadTickets: DownloadTickets;
}

interface UserPageStoresOptions {
  readonly dependencies: HostedDependencies;
  readonly issuer: string;
  readonly now: () => number;
}

export function createUserPageStores({ dependencies, issuer, now }: UserPageStoresOptions): UserPageStores {
  const { state } = dependencies.services;
  const createUrlBuilder = (path: string) => (token: string) => `${issuer}/${path}/${token}`;
  return {
    confirmationRequests: createConfirmationRequests({ state, getUrl: createUrlBuilder('confirm'), now }),
    uploadTickets: createUploadTickets({ state, getUploadUrl: createUrlBuilder('upload'), now }),
    downloadTickets: createDownloadTickets({ state, getUrl: createUrlBuilder('download'), now }),
  };
}

/** What the calls of one grant have of it. */
export function createGrantPages(
  { confirmationRequests, uploadTickets, downloadTickets }: UserPageStores,
  { grant, dependencies }: { grant: Grant; dependencies: HostedDependencies },
): NonNullable<ServerSettings['userPages']> {
  const { id, key: apiKey, browser } = grant;
  const owner = { grant: id, apiKey };
  return (account): UserPages => ({
    confirmationPage: {
      openQuestion: async (request) => {
        const { secret } = await dependencies.services.state();
        return confirmationRequests.findOrCreate(request, {
          grant: id,
          account: account.getSharedFingerprint(secret),
          browser,
        });
      },
    },
    fileTransfer: { ...uploadTickets.forOwner(owner), ...downloadTickets.forOwner(owner) },
  });
}

/**
 * Whether a request carries a file, and may take its time. By its address as it was sent: what a parser would make of
 * dots in it leads elsewhere.
 */
export const isFileRequest = ({
  method = '',
  url = '',
}: {
  method?: string | undefined;
  url?: string | undefined;
}) => /^(PUT|POST)$/.test(method) && /^\/upload\/[\w-]+(\?|$)/.test(url);

/** A path as a log may hold it: an address that leads to one act is a secret. */
export function redactPath(path: string): string {
  return path.replace(/^(\/(?:confirm|upload|download)\/).*/, '$1…');
}
