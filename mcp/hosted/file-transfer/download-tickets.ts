import {
  createNonce,
  createUrlToken,
  decryptForToken,
  encryptForToken,
  hashUrlToken,
  isUrlToken,
  ONE_TIME_URL_TTL_MS,
} from '../../pages/one-time-url.ts';
import type { StateProvider } from '../../state/shared-state.ts';
import type { FileTransfer } from '../../tool/file-transfer.ts';
import type { TransferOwner } from './upload-tickets.ts';

/** File of an agreement behind a one-time URL. */
export interface DownloadTicket extends TransferOwner {
  readonly id: string;
  readonly name: string;
}

/** One-time download URLs, in the shared state. */
export interface DownloadTickets {
  forOwner(owner: TransferOwner): Pick<FileTransfer, 'download'>;
  /** Returns undefined if there is none, or it has expired. */
  find(token: string): Promise<DownloadTicket | undefined>;
  /** Uses up the URL, atomically across replicas. Returns false if it was already used. */
  consume(token: string): Promise<boolean>;
  /** Makes the URL usable again if nothing was sent. */
  release(token: string): Promise<void>;
}

export function createDownloadTickets(options: {
  state: StateProvider;
  getUrl: (token: string) => string;
  now?: () => number;
}): DownloadTickets {
  const { getUrl, now = Date.now } = options;
  const getUsedKey = (token: string) => `spent download ${hashUrlToken(token)}`;
  return {
    forOwner: ({ grant, apiKey, workspace }) => ({
      async download({ id, name }) {
        const state = await options.state();
        const token = createUrlToken(state.secret, { kind: 'download', nonce: createNonce() });
        const sealed = await encryptForToken(state.secret, token, { apiKey, workspace, id, name });
        await state.put(`download ${hashUrlToken(token)}`, { sealed, grant }, now() + ONE_TIME_URL_TTL_MS);
        return { url: getUrl(token), secondsLeft: Math.round(ONE_TIME_URL_TTL_MS / 1000) };
      },
    }),
    async find(token) {
      if (!isUrlToken(token)) return undefined;
      const state = await options.state();
      const entry = await state.get(`download ${hashUrlToken(token)}`);
      const sealed = entry && (await decryptForToken(state.secret, token, entry['sealed']));
      if (!entry || !sealed || (await state.get(getUsedKey(token)))) return undefined;
      const { apiKey, workspace, id, name } = sealed;
      return {
        grant: String(entry['grant']),
        apiKey: String(apiKey),
        workspace: typeof workspace === 'string' ? workspace : undefined,
        id: String(id),
        name: String(name),
      };
    },
    async consume(token) {
      const state = await options.state();
      return (await state.putIfAbsent(getUsedKey(token), { at: now() }, now() + ONE_TIME_URL_TTL_MS)) === undefined;
    },
    release: async (token) => (await options.state()).remove(getUsedKey(token)),
  };
}
