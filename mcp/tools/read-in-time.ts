import { getFailureCode } from '../result/describe-failure.ts';
import type { ToolContext } from '../tool/tool.ts';

const MAX_WAIT_MS = 3000;
const READ_TIMEOUT_MS = 20_000;
const CONCURRENCY = 4;

/** Returns a function that says whether a report may read more: not after its time, nor while the rate limit would delay it. */
export function createReadDeadline({ client }: Pick<ToolContext, 'client'>): () => boolean {
  const deadline = Date.now() + READ_TIMEOUT_MS;
  return () => client.expectedWaitMs() <= MAX_WAIT_MS && Date.now() <= deadline;
}

/** Reads something about each item while there is time, several at once. Returns the code of the error that ended it, if any. */
export async function readEachInTime<Item>(
  context: Pick<ToolContext, 'client' | 'options'>,
  items: readonly Item[],
  read: (item: Item) => Promise<void>,
): Promise<string | undefined> {
  const mayRead = createReadDeadline(context);
  const queue = items.values();
  let failed: string | undefined;
  const worker = async () => {
    for (const item of queue) {
      if (failed !== undefined || !mayRead()) return;
      await read(item).catch((error: unknown) => {
        if (context.options.signal?.aborted) throw error;
        failed = getFailureCode(error);
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return failed;
}
