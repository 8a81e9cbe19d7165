/** A waiting entry, with the queue's own state while it waits. */
export interface QueueEntry {
  bucket?: Bucket<QueueEntry> | undefined;
}

/** Entries of one priority; removed ones stay until the head reaches them or they are the majority. */
interface Bucket<Entry> {
  readonly priority: number;
  entries: Entry[];
  head: number;
  waiting: number;
}

/** Entries by priority, then arrival; every operation takes constant time. */
export interface PriorityQueue<Entry> {
  readonly size: number;
  /** Counts the entries that start before a new one with this priority. */
  countBefore(priority: number): number;
  /** Entries in the order in which they start. */
  entries(): Entry[];
  add(entry: Entry, priority: number): void;
  /** Removes and returns the first entry. */
  shift(): Entry | undefined;
  /** Returns false if the entry does not wait. */
  remove(entry: Entry): boolean;
}

const MAX_REMOVED_ENTRIES = 32;

export function createPriorityQueue<Entry extends QueueEntry>(): PriorityQueue<Entry> {
  /** Non-empty buckets, highest priority first. */
  const buckets: Bucket<Entry>[] = [];
  let size = 0;

  function getBucket(priority: number): Bucket<Entry> {
    let index = 0;
    for (; ; index++) {
      const bucket = buckets[index];
      if (bucket?.priority === priority) return bucket;
      if (bucket === undefined || bucket.priority < priority) break;
    }
    const bucket: Bucket<Entry> = { priority, entries: [], head: 0, waiting: 0 };
    buckets.splice(index, 0, bucket);
    return bucket;
  }

  function remove(entry: QueueEntry): boolean {
    const { bucket } = entry;
    if (!bucket) return false;
    entry.bucket = undefined;
    size -= 1;
    bucket.waiting -= 1;
    if (bucket.waiting === 0) buckets.splice(buckets.indexOf(bucket as Bucket<Entry>), 1);
    else if (bucket.entries.length > 2 * bucket.waiting + MAX_REMOVED_ENTRIES) {
      bucket.entries = bucket.entries.filter(isWaiting);
      bucket.head = 0;
    }
    return true;
  }

  return {
    get size() {
      return size;
    },
    countBefore(priority) {
      let count = 0;
      for (const bucket of buckets) {
        if (bucket.priority < priority) break;
        count += bucket.waiting;
      }
      return count;
    },
    entries: () => buckets.flatMap(({ entries }) => entries.filter(isWaiting)),
    add(entry, priority) {
      const bucket = getBucket(priority);
      entry.bucket = bucket;
      bucket.entries.push(entry);
      bucket.waiting += 1;
      size += 1;
    },
    shift() {
      for (let bucket = buckets[0]; bucket; ) {
        const entry = bucket.entries[bucket.head];
        bucket.head += 1;
        if (entry && remove(entry)) return entry;
      }
      return undefined;
    },
    remove,
  };
}

function isWaiting({ bucket }: QueueEntry): boolean {
  return bucket !== undefined;
}
