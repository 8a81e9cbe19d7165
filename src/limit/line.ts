import type { Queue, QueueAddOptions } from 'p-queue';

type Run = () => Promise<unknown>;

/** One who waits. The line keeps its own notes here, for as long as they stand in it. */
export interface Standing {
  run?: Run | undefined;
  row?: Row<Standing>;
}

/** Those of one priority; who left stays until the head comes by, or until they are the most of it. */
interface Row<Place> {
  readonly priority: number;
  places: Place[];
  head: number;
  waiting: number;
}

/** What `PQueue.add` hands on. */
export interface LineOptions<Place> extends QueueAddOptions {
  readonly place?: Place;
}

export type LineQueue<Place> = Queue<Run, LineOptions<Place>>;

/** Those who wait, in order of priority and then of arrival; each step costs the same however many wait. */
export interface Line<Place> {
  readonly size: number;
  /** How many start before one that comes now with this priority. */
  countBefore(priority: number): number;
  /** In the order in which they start. */
  places(): Place[];
  /** Takes a place out before its turn and gives its job, if it still waits. */
  takeOut(place: Place): Run | undefined;
  /** What p-queue makes its queue with: its own moves or searches all others at each insertion and removal. */
  readonly queueClass: new () => LineQueue<Place>;
}

const MAX_REMOVED_ENTRIES = 32;

export function createLine<Place extends Standing>(): Line<Place> {
  /** Highest priority first; none is empty. */
  const rows: Row<Place>[] = [];
  let size = 0;

  function getBucket(priority: number): Row<Place> {
    let index = 0;
    for (; ; index++) {
      const row = rows[index];
      if (row?.priority === priority) return row;
      if (row === undefined || row.priority < priority) break;
    }
    const row: Row<Place> = { priority, places: [], head: 0, waiting: 0 };
    rows.splice(index, 0, row);
    return row;
  }

  function takeOut(place: Standing): Run | undefined {
    const { run, row } = place;
    if (!run || !row) return undefined;
    place.run = undefined;
    size -= 1;
    row.waiting -= 1;
    if (row.waiting === 0) rows.splice(rows.indexOf(row as Row<Place>), 1);
    else if (row.places.length > 2 * row.waiting + MAX_REMOVED_ENTRIES) {
      row.places = row.places.filter(({ run }) => run);
      row.head = 0;
    }
    return run;
  }

  const queue: LineQueue<Place> = {
    get size() {
      return size;
    },
    enqueue(run, { priority = 0, place } = {}) {
      if (!place) return refuse();
      const row = getBucket(priority);
      place.run = run;
      place.row = row;
      row.places.push(place);
      row.waiting += 1;
      size += 1;
    },
    dequeue() {
      for (let row = rows[0]; row; ) {
        const place = row.places[row.head];
        row.head += 1;
        if (place?.run) return takeOut(place);
      }
      return undefined;
    },
    // p-queue asks for these only where a task has an id or a signal of its own.
    filter: refuse,
    remove: refuse,
    setPriority: refuse,
  };

  return {
    get size() {
      return size;
    },
    countBefore(priority) {
      let count = 0;
      for (const row of rows) {
        if (row.priority < priority) break;
        count += row.waiting;
      }
      return count;
    },
    places: () => rows.flatMap(({ places }) => places.filter(({ run }) => run)),
    takeOut,
    // `new` on a function that gives an object gives that object: the limiter and p-queue look at one line.
    queueClass: function useLine() {
      return queue;
    } as unknown as Line<Place>['queueClass'],
  };
}

function refuse(): never {
  throw new Error('A task of this queue has a place, which keeps its priority and is left by `takeOut`.');
}
