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
  about(list: string): Promise<void>;
  made(path: string, list: string): Promise<void>;
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
  const tell = async () => {
    await keepers.journal?.write({ open, doubts });
    await keepers.janitor?.tell({ open, doubts });
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
    async about(list) {
      doubts = [...doubts, list];
      await tell();
    },
    async made(path, list) {
      open = [...open, path];
      doubts = without(doubts, list);
      await tell();
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
