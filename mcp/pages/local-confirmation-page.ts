import type { Account } from '../account/account.ts';
import type { ConfirmationPage } from '../confirm/confirmation-page.ts';
import type { StateProvider } from '../state/shared-state.ts';
import type { PageServer } from './local-page-server.ts';

/** The browser may be opened again for the same question after this time. */
const REOPEN_AFTER_MS = 60_000;

/**
 * Confirmation pages on 127.0.0.1, for a server that runs on the user's machine. The HTTP server is loaded and started with
 * the first question.
 */
export function createLocalConfirmationPages(options: {
  state: StateProvider;
  openBrowser: (url: string) => Promise<boolean>;
}) {
  const { state, openBrowser } = options;
  const openedAt = new Map<string, number>();
  let starting: Promise<PageServer> | undefined;
  const start = () => {
    starting ??= import('./local-page-server.ts').then(({ startPageServer }) => startPageServer(state));
    return starting;
  };
  const getRequester = async (account: Account) => {
    const { secret } = await state();
    return { grant: 'local', account: account.getSharedFingerprint(secret), browser: '' };
  };
  return {
    forAccount: (account: Account): ConfirmationPage => ({
      async openQuestion(request) {
        const { requests } = await start();
        return requests.findOrCreate(request, await getRequester(account));
      },
      async isDecided(binding) {
        return (await starting)?.requests.isDecided(binding, await getRequester(account)) ?? false;
      },
      async openInBrowser(url) {
        if (Date.now() - (openedAt.get(url) ?? 0) < REOPEN_AFTER_MS) return true;
        const isOpened = await openBrowser(url);
        if (isOpened) openedAt.set(url, Date.now());
        return isOpened;
      },
    }),
    close: async () => (await starting)?.close(),
  };
}
