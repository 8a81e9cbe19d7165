import type { Hono } from 'hono';
import type { Service } from '../service.ts';
import type { Env } from './exchange.ts';
import { drain } from './read-bytes.ts';

/** What holds for every answer: it is dated by the sandbox's clock, and no unread body stays in the connection. `done` hears of each. */
export function addManners(app: Hono<Env>, service: Service, done: () => void): void {
  app.use(async (context, next) => {
    const { incoming, outgoing } = context.env;
    outgoing.setHeader('date', new Date(service.clock.now()).toUTCString());
    outgoing.once('finish', () => {
      drain(incoming);
      done();
    });
    await next();
  });
}
