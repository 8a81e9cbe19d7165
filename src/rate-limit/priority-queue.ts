import type { Queue, QueueAddOptions } from 'p-queue';

type Job = () => Promise<unknown>;

/** One who waits. The line keeps its own notes here, for as long as they stand in it. */
export interface QueueEntry {
  job?: Job | undefined;
  bucket?: Bucket<QueueEntry>;
}

/** Those of one priority; who left stays until the head comes by, or until they are the most of it. */
interface Bucket<Place> {
  readonly priority: number;
  entries: Place[];
  head: number;
  waiting: number;
}

/** What `PQueue.add` hands on. */
export interface QueueOptions<Place> extends QueueAddOptions {
  readonly entry?: Place;
}

export type PQueueAdapter<Place> = Queue<Job, QueueOptions<Place>>;

/** Those who wait, in order of priority and then of arrival; each step costs the same however many wait. */
export interface PriorityQueue<Place> {
  readonly size: number;
  /** How many start before one that comes now with this priority. */
  countBefore(priority: number): number;
  /** In the order in which they start. */
  entries(): Place[];
  /** Takes a place out before its turn and gives its job, if it still waits. */
  remove(entry: Place): Job | undefined;
  /** What p-queue makes its queue with: its own moves or searches all others at each insertion and removal. */
  readonly queueClass: new () => PQueueAdapter<Place>;
}

const MAX_REMOVED_ENTRIES = 32;

export function createPriorityQueue<Place extends QueueEntry>(): PriorityQueue<Place> {
  /** Highest priority first; none is empty. */
  const buckets: Bucket<Place>[] = [];
  let size = 0;

  function getBucket(priority: number): Bucket<Place> {
    let index = 0;
    for (; ; index++) {
      const bucket = buckets[index];
      if (bucket?.priority === priority) return bucket;
      if (bucket === undefined || bucket.priority < priority) break;
    }
    const bucket: Bucket<Place> = { priority, entries: [], head: 0, waiting: 0 };
    buckets.splice(index, 0, bucket);
    return bucket;
  }

  function remove(entry: QueueEntry): Job | undefined {
    const { job, bucket } = entry;
    if (!job || !bucket) return undefined;
    entry.job = undefined;
    size -= 1;
    bucket.waiting -= 1;
    if (bucket.waiting === 0) buckets.splice(buckets.indexOf(bucket as Bucket<Place>), 1);
    else if (bucket.entries.length > 2 * bucket.waiting + MAX_REMOVED_ENTRIES) {
      bucket.entries = bucket.entries.filter(({ job }) => job);
      bucket.head = 0;
    }
    return job;
  }

  const adapter: PQueueAdapter<Place> = {
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
    // p-queue asks for these only where a task has an id or a signal of its own.
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
    // `new` on a function that gives an object gives that object: the limiter and p-queue look at one line.
    queueClass: function QueueConstructor() {
      return adapter;
    } as unknown as PriorityQueue<Place>['queueClass'],
  };
}

function throwUnsupported(): never {
  throw new Error('A task of this queue has a place, which keeps its priority and is left by `takeOut`.');
}
