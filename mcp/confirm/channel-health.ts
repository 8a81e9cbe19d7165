import type { StateProvider } from '../state/shared-state.ts';

export type ChannelHealth = ReturnType<typeof createChannelHealth>;

const TTL_MS = 60 * 60_000;
/** A host that makes another call without its form's answer after this time has dropped the form. */
const MIN_DROPPED_MS = 3000;
/** The same for an identical call: after this time it was made by a model that got no answer to the first one. */
const MIN_REPEATED_MS = 1000;

/**
 * Remembers connections whose host declares forms but does not show them. After one form without a person's answer, the
 * connection's next questions use another channel; an answer by a person makes forms usable again.
 */
export function createChannelHealth(options: { state: StateProvider; now: () => number }) {
  const { now } = options;
  const getStateKey = (connection: string) => `forms ${connection}`;
  const put = async (connection: string, entry: { failed: boolean }) =>
    (await options.state())
      .put(getStateKey(connection), { ...entry, at: now() }, now() + TTL_MS)
      // Without the state, forms are tried again.
      .catch(() => undefined);
  const remove = async (connection: string) =>
    (await options.state()).remove(getStateKey(connection)).catch(() => undefined);
  return {
    /** `skipsOnce`: forms are used again after one question on a page. `isRepeated`: an identical call has an open form. */
    async mayUseForms(
      connection: string,
      { skipsOnce, isRepeated }: { skipsOnce: boolean; isRepeated: boolean },
    ): Promise<boolean> {
      const entry = await (await options.state()).get(getStateKey(connection)).catch(() => undefined);
      if (!entry) return true;
      const minDroppedMs = isRepeated ? MIN_REPEATED_MS : MIN_DROPPED_MS;
      if (entry['failed'] !== true && now() - Number(entry['at']) < minDroppedMs) return true;
      await (skipsOnce ? remove(connection) : put(connection, { failed: true }));
      return false;
    },
    /** A form was returned to a host that answers with a repeated call. */
    recordFormSent: (connection: string) => put(connection, { failed: false }),
    recordFailed: (connection: string) => put(connection, { failed: true }),
    recordAnswered: remove,
  };
}
