import type { Janitor } from './janitor.ts';
import type { Journal } from './journal.ts';

/** What is about to be made, and what was: whoever removes it later has to know of it before it is there. */
export interface Deeds {
  /** Stands in the name of everything that is made, and in nothing else. */
  readonly marker: string;
  /** Paths below the base URL of what was made and is still there, in the order of making. */
  readonly open: readonly string[];
  /** Lists in which something of the marker's name may stand that nobody has an id of. */
  readonly doubts: readonly string[];
  readonly spared: readonly string[];
  /** Lists in which something was made, whether it is gone or not. */
  readonly touched: ReadonlySet<string>;
  /** Lists in which something was made whose id no answer told. */
  readonly unnamed: readonly string[];
  /** The same of what has no name either. */
  readonly nameless: readonly string[];
  about(list: string): Promise<void>;
  made(path: string, list: string): Promise<void>;
  /** It was there before, although it was answered to making one. */
  spare(path: string): Promise<void>;
  /** Nor is it found by its name where it got none. */
  madeUnnamed(list: string, marked: boolean): void;
  /** Nothing came of what was about to be made. */
  refused(list: string): Promise<void>;
  removed(path: string): Promise<void>;
  /** Everything is removed: nobody has to look again. */
  done(): Promise<void>;
}

/** Told to the journal and the janitor before it is done, so that no kill leaves anything behind. */
export function createDeeds(marker: string, keepers: { journal?: Journal; janitor?: Janitor }): Deeds {
  let open: string[] = [];
  let doubts: string[] = [];
  let spared: string[] = [];
  const unnamed: string[] = [];
  const nameless: string[] = [];
  const touched = new Set<string>();
  const tell = async () => {
    await keepers.journal?.write({ open, doubts, spared });
    await keepers.janitor?.tell({ open, doubts, spared });
  };
  const without = (list: readonly string[], one: string) => {
    const at = list.indexOf(one);
    return list.filter((_, index) => index !== at);
  };
  return {
    marker,
    get open() {
      return open;
    },
    get doubts() {
      return doubts;
    },
    get spared() {
      return spared;
    },
    touched,
    unnamed,
    nameless,
    async about(list) {
      doubts = [...doubts, list];
      await tell();
    },
    async made(path, list) {
      touched.add(list);
      open = [...open, path];
      doubts = without(doubts, list);
      await tell();
    },
    async spare(path) {
      spared = [...spared, path];
      await tell();
    },
    madeUnnamed(list, marked) {
      (marked ? unnamed : nameless).push(list);
    },
    async refused(list) {
      doubts = without(doubts, list);
      await tell();
    },
    async removed(path) {
      open = without(open, path);
      await tell();
    },
    async done() {
      await keepers.janitor?.dismiss();
      await keepers.journal?.end();
    },
  };
}
