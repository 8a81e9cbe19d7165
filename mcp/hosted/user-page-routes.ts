import type { Hono } from 'hono';
import { type CountKeyAttempt, createConfirmationRoutes } from '../pages/confirmation-routes.ts';
import { createDownloadRoutes } from './file-transfer/download-routes.ts';
import { createUploadReceiver } from './file-transfer/receive-upload.ts';
import { createUploadRoutes } from './file-transfer/upload-routes.ts';
import type { HostedContext } from './hosted-context.ts';

/** Adds the pages for confirmations, uploads and downloads. Must run before any body limit: files are larger. */
export function addUserPageRoutes(app: Hono, hostedContext: HostedContext, countKeyAttempt: CountKeyAttempt): void {
  const { issuer: publicUrl, accounts, grants, dependencies, userPageStores } = hostedContext;
  const { uploadTickets, downloadTickets, confirmationRequests, transferSlots: slots } = userPageStores;
  // A rejected key ends its pages, not the sign-in: that may have other workspaces.
  const isRevoked = async (id: string, apiKey: string) =>
    (await grants.isRevoked({ id })) || grants.isKeyRejected(apiKey);
  const { audit, state } = dependencies.services;
  const receiver = createUploadReceiver({ uploadTickets, accounts, isRevoked, audit, slots, state });
  app.route('/upload', createUploadRoutes({ uploadTickets, receiver, publicUrl, isRevoked }));
  app.route('/download', createDownloadRoutes({ downloadTickets, accounts, publicUrl, isRevoked }));
  app.route(
    '/confirm',
    createConfirmationRoutes({
      state,
      confirmationRequests,
      baseUrl: dependencies.baseUrl,
      publicUrl,
      // A rejected key shows when the approved call runs.
      isRevoked: (id) => grants.isRevoked({ id }),
      countKeyAttempt,
    }),
  );
}
