import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Env } from '../server/exchange.ts';
import type { ControlContext } from './control-context.ts';

const HEARTBEAT_MS = 15_000;

/** `GET /_sandbox/events`: streams `request` and `delivery` server-sent events as they happen. */
export function addEventStream(control: Hono<Env>, { log, queue }: ControlContext): void {
  control.get('/events', (context) =>
    streamSSE(context, async (stream) => {
      const send = (event: string) => (entry: object) => {
        void stream.writeSSE({ event, data: JSON.stringify(entry) });
      };
      const unsubscribers = [log.subscribe(send('request')), queue.subscribe(send('delivery'))];
      const disconnected = Promise.withResolvers<void>();
      stream.onAbort(() => {
        disconnected.resolve();
        for (const unsubscribe of unsubscribers) unsubscribe();
      });
      send('alive')({});
      const heartbeat = setInterval(() => send('alive')({}), HEARTBEAT_MS).unref();
      await disconnected.promise;
      clearInterval(heartbeat);
    }),
  );
}
