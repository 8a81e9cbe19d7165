import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { harmless } from '../../harmless.ts';
import type { Doors } from '../../http/exchange.ts';
import type { Markup } from '../document-page.ts';
import { PARTS } from './parts.ts';
import { deliveryRow, recentDeliveries, recentRequests, requestRow } from './rows.ts';

/** How long a change waits at most until an open page shows it. */
const TICK_MS = 500;
/** A burst of requests is shown at once, not one by one. */
const GATHER_MS = 60;

/** Server-sent events for open pages: `part` replaces a part of the page, `rows` brings a list up to date. */
export function createFeed(doors: Doors): (context: Context) => Response {
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const go of [...waiting]) go();
  };

  /** Until something happens, or the time is up: deliveries and visits tell no one that they changed. */
  function pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, TICK_MS);
      waiting.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
  }

  return (context) =>
    streamSSE(context, async (stream) => {
      const closed = new AbortController();
      stream.onAbort(() => closed.abort());
      let gathering = false;
      const unwatch = doors.log.watch(() => {
        if (gathering) return;
        gathering = true;
        setTimeout(() => {
          gathering = false;
          wake();
        }, GATHER_MS).unref();
      });
      const sent = new Map<string, string>();
      /** Whether a text is another than the one this browser has. */
      const isNew = (id: string, text: string) => {
        if (sent.get(id) === text) return false;
        sent.set(id, text);
        return true;
      };
      const write = (event: string, value: unknown) =>
        stream.writeSSE({ event, data: JSON.stringify(value) });

      async function sendRows<T extends { id: string }>(
        list: string,
        entries: readonly T[],
        render: (entry: T) => Markup,
      ): Promise<void> {
        const rows: Record<string, string> = {};
        for (const entry of entries) {
          const text = harmless(String(await render(entry)));
          if (isNew(entry.id, text)) rows[entry.id] = text;
        }
        const ids = entries.map(({ id }) => id);
        if (isNew(list, ids.join(' ')) || Object.keys(rows).length > 0)
          await write('rows', { list, ids, rows });
      }

      try {
        while (!closed.signal.aborted) {
          await sendRows('requests', recentRequests(doors), requestRow);
          await sendRows('deliveries', recentDeliveries(doors), deliveryRow);
          for (const [id, render] of Object.entries(PARTS)) {
            const text = harmless(String(await render(doors)));
            if (isNew(id, text)) await write('part', { id, html: text });
          }
          await pause(closed.signal);
        }
      } finally {
        unwatch();
      }
    });
}
