/** Larger bodies are read only while the memory of the process has room for them; smaller ones never wait. */
export const LARGE_BODY_BYTES = 1024 * 1024;
/** Still larger bodies need another place, so that the many of a few megabytes don't wait for them. */
export const HUGE_BODY_BYTES = 4 * LARGE_BODY_BYTES;
const MAX_BODY_BYTES = 32 * LARGE_BODY_BYTES;

/** A body while it is read. */
export interface BodyReader {
  /** API key that it belongs to. */
  readonly owner: string;
  readonly receivedBytes: () => number;
  /** Ends the body with an error. */
  readonly cancel: () => void;
}

/** Places for bodies of one size class. */
interface Pool {
  places: number;
  /** Readers that have a place, and since when. */
  readonly admitted: Map<BodyReader, number>;
  readonly waiting: { readonly reader: BodyReader; readonly admit: () => void }[];
  /** Number of the last admission of each owner. */
  readonly turns: Map<string, number>;
  timer: NodeJS.Timeout | undefined;
}

const createPool = (): Pool => ({ places: 1, admitted: new Map(), waiting: [], turns: new Map(), timer: undefined });
const pools = { large: createPool(), huge: createPool() };

/** One owner has at most this part of the places of a pool, but always one. */
const OWNER_SHARE = 1 / 2;
/** Speed that a body needs to keep a place that others wait for, after a grace period. */
const MIN_BYTES_PER_MS = 512;
const GRACE_MS = 3000;
const CHECK_INTERVAL_MS = 1000;

setBodyBudget(256 * LARGE_BODY_BYTES);

/** Sets how many bytes all large bodies may hold in this process; one of each class is always read. */
export function setBodyBudget(bytes: number): void {
  pools.huge.places = Math.max(1, Math.floor((bytes * 2) / 3 / MAX_BODY_BYTES));
  pools.large.places = Math.max(1, Math.floor((bytes - pools.huge.places * MAX_BODY_BYTES) / HUGE_BODY_BYTES));
}

/**
 * Waits for a place. Each owner takes turns with the others, whatever the number of its bodies. A body of the class `huge`
 * keeps its place among the large ones, and waits for no further place, so that bodies never wait for one another.
 * @returns a function that releases it after the caller has parsed the body.
 */
export async function acquireBodySlot(kind: keyof typeof pools, reader: BodyReader): Promise<() => void> {
  const pool = pools[kind];
  await new Promise<void>((admit) => {
    pool.waiting.push({ reader, admit });
    admitWaiting(pool);
  });
  return () =>
    void setImmediate(() => {
      pool.admitted.delete(reader);
      admitWaiting(pool);
      if (pool.admitted.size === 0) pool.turns.clear();
    });
}

function admitWaiting(pool: Pool): void {
  const { admitted, waiting, turns } = pool;
  while (admitted.size < pool.places) {
    const [next] = waiting
      .filter(({ reader }) => isBelowShare(pool, reader.owner))
      .sort((a, b) => (turns.get(a.reader.owner) ?? 0) - (turns.get(b.reader.owner) ?? 0));
    if (!next) break;
    waiting.splice(waiting.indexOf(next), 1);
    admitted.set(next.reader, Date.now());
    turns.set(next.reader.owner, Math.max(0, ...turns.values()) + 1);
    next.admit();
  }
  if (waiting.length === 0) {
    clearTimeout(pool.timer);
    pool.timer = undefined;
    return;
  }
  pool.timer ??= setTimeout(() => {
    pool.timer = undefined;
    cancelSlow(pool);
    admitWaiting(pool);
  }, CHECK_INTERVAL_MS).unref();
}

function isBelowShare({ admitted, places }: Pool, owner: string): boolean {
  const owned = [...admitted.keys()].filter((reader) => reader.owner === owner).length;
  return owned < Math.max(1, Math.floor(places * OWNER_SHARE));
}

/** Cancels bodies that arrive slowly although somebody waits for their place. */
function cancelSlow(pool: Pool): void {
  for (const [reader, since] of pool.admitted) {
    const isSlow = reader.receivedBytes() < (Date.now() - since - GRACE_MS) * MIN_BYTES_PER_MS;
    // An owner below its share waits for a place of others.
    const isWanted = pool.waiting.some(
      (next) => next.reader.owner === reader.owner || isBelowShare(pool, next.reader.owner),
    );
    if (isSlow && isWanted) reader.cancel();
  }
}
