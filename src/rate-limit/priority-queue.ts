export interface QueueEntry {
  /** Set by the queue while the entry waits. */
  bucket?: Bucket<QueueEntry> | undefined;
}

/** Entries of one priority; removed ones stay until the head reaches them or they are the majority. */
interface Bucket<Entry> {
  readonly priority: number;
  entries: Entry[];
  head: number;
  waiting: number;
}

const MAX_REMOVED_ENTRIES = 32;

/** Creates a queue of entries by priority, then arrival; every operation takes constant time. */
export function createPriorityQueue<Entry extends QueueEntry>() {
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

  /** Removes an entry. Returns false if it no longer waits. */
  function remove(entry: QueueEntry): boolean {
    const { bucket } = entry;
    if (!bucket) return false;
    entry.bucket = undefined;
    size -= 1;
    bucket.waiting -= 1;
    if (bucket.waiting === 0) buckets.splice(buckets.indexOf(bucket as Bucket<Entry>), 1);
    else if (bucket.entries.length > 2 * bucket.waiting + MAX_REMOVED_ENTRIES) {
      bucket.entries = bucket.entries.filter((one) => one.bucket);
      bucket.head = 0;
    }
    return true;
  }

  return {
    get size() {
      return size;
    },
    /** Counts the entries that start before a new one with this priority. */
    countBefore(priority: number): number {
      let count = 0;
      for (const bucket of buckets) {
        if (bucket.priority < priority) break;
        count += bucket.waiting;
      }
      return count;
    },
    /** Returns the entries in the order in which they start. */
    entries: () => buckets.flatMap(({ entries }) => entries.filter(({ bucket }) => bucket)),
    add(entry: Entry, priority: number): void {
      const bucket = getBucket(priority);
      entry.bucket = bucket;
      bucket.entries.push(entry);
      bucket.waiting += 1;
      size += 1;
    },
    takeFirst(): Entry | undefined {
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
