import type { Hono } from 'hono';
import type { Env, RouteDependencies } from '../server/exchange.ts';
import { addAssets } from './assets.ts';
import { addConsole } from './console/console-page.ts';
import { addGuards } from './guard.ts';
import { addProposalPages } from './proposal-pages.ts';
import { addSharePages } from './share-pages.ts';
import { addSigningPages } from './signing-pages.ts';
import { addThumbnails } from './thumbnails.ts';

export function addPages(app: Hono<Env>, dependencies: RouteDependencies): void {
  const { service } = dependencies;
  addAssets(app);
  addGuards(app, service);
  addSharePages(app, service);
  addSigningPages(app, service);
  addProposalPages(app, service);
  addThumbnails(app, service);
  addConsole(app, dependencies);
}
