import type { FileTransfer } from '../../contract/hand-over.ts';
import type { OpenState } from '../../state/shared-state.ts';
import {
  addressToken,
  freshNonce,
  hashOfAddress,
  isAddressToken,
  ONE_TIME_URL_TTL_MS,
  openSealed,
  sealFor,
} from '../one-time.ts';
import type { Holder } from './hand-overs.ts';

/** An agreement's file that waits at an address. */
export interface OpenDownload extends Holder {
  readonly id: string;
  readonly name: string;
}

/** Addresses of agreements' files, in the shared state. */
export interface Downloads {
  door(holder: Holder): Pick<FileTransfer, 'download'>;
  /** Undefined where there is none (any more). */
  find(token: string): Promise<OpenDownload | undefined>;
  /** Takes the address for one download, atomically among all replicas; false where it was taken. */
  spend(token: string): Promise<boolean>;
  /** Gives it back: nothing was sent. */
  release(token: string): Promise<void>;
}

export function createDownloads(options: {
  state: OpenState;
  getUrl: (token: string) => string;
  now?: () => number;
}): Downloads {
  const { getUrl, now = Date.now } = options;
  const spentKey = (token: string) => `spent download ${hashOfAddress(token)}`;
  return {
    door: ({ grant, apiKey }) => ({
      async download({ id, name }) {
        const state = await options.state();
        const token = addressToken(state.secret, { kind: 'download', nonce: freshNonce() });
        const sealed = await sealFor(state.secret, token, { apiKey, id, name });
        await state.put(`download ${hashOfAddress(token)}`, { sealed, grant }, now() + ONE_TIME_URL_TTL_MS);
        return { url: getUrl(token), secondsLeft: Math.round(ONE_TIME_URL_TTL_MS / 1000) };
      },
    }),
    async find(token) {
      if (!isAddressToken(token)) return undefined;
      const state = await options.state();
      const entry = await state.get(`download ${hashOfAddress(token)}`);
      const sealed = entry && (await openSealed(state.secret, token, entry['sealed']));
      if (!entry || !sealed || (await state.get(spentKey(token)))) return undefined;
      const { apiKey, id, name } = sealed;
      return { grant: String(entry['grant']), apiKey: String(apiKey), id: String(id), name: String(name) };
    },
    async spend(token) {
      const state = await options.state();
      return (await state.claim(spentKey(token), { at: now() }, now() + ONE_TIME_URL_TTL_MS)) === undefined;
    },
    release: async (token) => (await options.state()).remove(spentKey(token)),
  };
}
