import type { Hono } from 'hono';
import type { Service } from '../state/service.ts';
import type { Env } from './exchange.ts';
import { drain } from './read-bytes.ts';

/** Dates every response by the sandbox's clock and drains unread bodies. Calls `onFinish` after each. */
export function addCommonHeaders(app: Hono<Env>, service: Service, onFinish: () => void): void {
  app.use(async (context, next) => {
    const { incoming, outgoing } = context.env;
    outgoing.setHeader('date', new Date(service.clock.now()).toUTCString());
    outgoing.once('finish', () => {
      drain(incoming);
      onFinish();
    });
    await next();
  });
}
