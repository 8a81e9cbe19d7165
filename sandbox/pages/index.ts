import type { Hono } from 'hono';
import type { Doors, Env } from '../http/exchange.ts';
import { addProposalPages } from './proposal-pages.ts';
import { addSharePages } from './share-pages.ts';
import { addSigningPages } from './signing-pages.ts';
import { addThumbnails } from './thumbnails.ts';

/** Everything that people see in a browser. */
export function addPages(app: Hono<Env>, doors: Doors): void {
  addSharePages(app, doors.service);
  addSigningPages(app, doors.service);
  addProposalPages(app, doors.service);
  addThumbnails(app, doors.service);
}
