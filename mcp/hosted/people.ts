import type { ServerSettings, UserPages } from '../server.ts';
import type { HostedParts } from '../start/start.ts';
import { createQuestions, type Questions } from './confirm/questions.ts';
import { createDownloads, type Downloads } from './hand-over/downloads.ts';
import { createHandOvers, type HandOvers } from './hand-over/hand-overs.ts';
import type { Grant } from './oauth/tokens.ts';

/** What calls leave for people at addresses of this server: questions, places for files, files. */
export interface People {
  readonly questions: Questions;
  readonly handOvers: HandOvers;
  readonly downloads: Downloads;
}

interface CreatePeople {
  readonly parts: HostedParts;
  readonly issuer: string;
  readonly now: () => number;
}

export function createPeople({ parts, issuer, now }: CreatePeople): People {
  const { state } = parts.services;
  const at = (room: string) => (token: string) => `${issuer}/${room}/${token}`;
  return {
    questions: createQuestions({ state, getUrl: at('confirm'), now }),
    handOvers: createHandOvers({ state, uploadUrl: at('upload'), now }),
    downloads: createDownloads({ state, getUrl: at('download'), now }),
  };
}

/** What the calls of one grant have of it. */
export function createGrantPages(
  { questions, handOvers, downloads }: People,
  { grant, parts }: { grant: Grant; parts: HostedParts },
): NonNullable<ServerSettings['userPages']> {
  const { id, key: apiKey, browser } = grant;
  const holder = { grant: id, apiKey };
  return (account): UserPages => ({
    confirmationPage: {
      openQuestion: async (act) => {
        const { secret } = await parts.services.state();
        return questions.stand(act, { grant: id, account: account.getSharedFingerprint(secret), browser });
      },
    },
    fileTransfer: { ...handOvers.door(holder), ...downloads.door(holder) },
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
export function loggedPath(path: string): string {
  return path.replace(/^(\/(?:confirm|upload|download)\/).*/, '$1…');
}
