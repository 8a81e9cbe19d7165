import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Env } from '../http/exchange.ts';
import type { Controlled } from './controlled.ts';

/** How often an idle stream says that it is alive. */
const HEARTBEAT_MS = 15_000;

/** `GET /_sandbox/news`: requests and deliveries as they happen, as server-sent events `request` and `delivery`. */
export function addNews(control: Hono<Env>, { log, queue }: Controlled): void {
  control.get('/news', (context) =>
    streamSSE(context, async (stream) => {
      const send = (event: string) => (entry: object) => {
        void stream.writeSSE({ event, data: JSON.stringify(entry) });
      };
      const ends = [log.watch(send('request')), queue.watch(send('delivery'))];
      const left = Promise.withResolvers<void>();
      stream.onAbort(() => {
        left.resolve();
        for (const end of ends) end();
      });
      send('alive')({});
      const heartbeat = setInterval(() => send('alive')({}), HEARTBEAT_MS).unref();
      await left.promise;
      clearInterval(heartbeat);
    }),
  );
}
