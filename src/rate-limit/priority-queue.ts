import type { Queue, QueueAddOptions } from 'p-queue';

type Job = () => Promise<unknown>;

/** A waiting entry, with the queue's own state while it waits. */
export interface QueueEntry {
  job: Job | undefined;
  bucket: Bucket<QueueEntry> | undefined;
}

/** Entries of one priority; removed ones stay until the head reaches them or they are the majority. */
interface Bucket<Entry> {
  readonly priority: number;
  entries: Entry[];
  head: number;
  waiting: number;
}

/** Options that `PQueue.add` passes on. */
export interface QueueOptions<Entry> extends QueueAddOptions {
  readonly entry?: Entry;
}

export type PQueueAdapter<Entry> = Queue<Job, QueueOptions<Entry>>;

/** Entries by priority, then arrival; every operation takes constant time. */
interface PriorityQueue<Entry> {
  readonly size: number;
  /** Counts the entries that start before a new one with this priority. */
  countBefore(priority: number): number;
  /** Entries in the order in which they start. */
  entries(): Entry[];
  /** Removes a waiting entry and returns its job. */
  remove(entry: Entry): Job | undefined;
  /** Queue class for p-queue, whose own class moves or searches all entries at each operation. */
  readonly queueClass: new () => PQueueAdapter<Entry>;
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

  function remove(entry: QueueEntry): Job | undefined {
    const { job, bucket } = entry;
    if (!job || !bucket) return undefined;
    entry.job = undefined;
    size -= 1;
    bucket.waiting -= 1;
    if (bucket.waiting === 0) buckets.splice(buckets.indexOf(bucket as Bucket<Entry>), 1);
    else if (bucket.entries.length > 2 * bucket.waiting + MAX_REMOVED_ENTRIES) {
      bucket.entries = bucket.entries.filter(({ job }) => job);
      bucket.head = 0;
    }
    return job;
  }

  const adapter: PQueueAdapter<Entry> = {
    get size() {
      return size;
    },
    enqueue(job, { priority = 0, entry } = {}) {
      if (!entry) return throwUnsupported();
      const bucket = getBucket(priority);
      entry.job = job;
      entry.bucket = bucket;
      bucket.entries.push(entry);
      bucket.waiting += 1;
      size += 1;
    },
    dequeue() {
      for (let bucket = buckets[0]; bucket; ) {
        const entry = bucket.entries[bucket.head];
        bucket.head += 1;
        if (entry?.job) return remove(entry);
      }
      return undefined;
    },
    // p-queue calls these only for tasks with an ID or a signal.
    filter: throwUnsupported,
    remove: throwUnsupported,
    setPriority: throwUnsupported,
  };

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
    entries: () => buckets.flatMap(({ entries }) => entries.filter(({ job }) => job)),
    remove,
    // `new` on a function that returns an object returns that object, so both share one queue.
    queueClass: function QueueConstructor() {
      return adapter;
    } as unknown as PriorityQueue<Entry>['queueClass'],
  };
}

function throwUnsupported(): never {
  throw new Error('Tasks of this queue need an `entry`; `remove` takes it out.');
}
