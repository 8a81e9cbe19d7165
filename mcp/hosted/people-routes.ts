import type { Hono } from 'hono';
import { createConfirmPages } from './confirm/confirm-pages.ts';
import { createDownloadPages } from './hand-over/download-pages.ts';
import { createHandOverPages } from './hand-over/hand-over-pages.ts';
import { createReceiver } from './hand-over/receive.ts';
import type { HostedWorld } from './world.ts';

/** The pages of what calls leave for people. To be added before any limit on bodies: files are larger. */
export function peopleRoutes(app: Hono, world: HostedWorld): void {
  const { issuer: publicUrl, accounts, grants, parts, people } = world;
  const { handOvers, downloads, questions } = people;
  const isEnded = (grant: string, apiKey: string) => grants.isEnded({ id: grant, key: apiKey });
  const { audit } = parts.services;
  const receiver = createReceiver({ handOvers, accounts, isEnded, audit });
  app.route('/upload', createHandOverPages({ handOvers, receiver, publicUrl, isEnded }));
  app.route('/download', createDownloadPages({ downloads, accounts, publicUrl, isEnded }));
  app.route(
    '/confirm',
    createConfirmPages({
      state: parts.services.state,
      questions,
      baseUrl: parts.baseUrl,
      publicUrl,
      // Whether the key itself is refused shows when the yes is carried out.
      isEnded: (grant) => grants.isEnded({ id: grant, key: '' }),
    }),
  );
}
