import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { authentication } from './authentication.ts';
import { addKey } from './before-request.ts';
import { createLink } from './creates/create-link.ts';
import { sendAgreement } from './creates/send-agreement.ts';
import { uploadDocument } from './creates/upload-document.ts';
import { fetchSignedDocument } from './hydrators/signed-document.ts';
import pack from './package.json' with { type: 'json' };
import { findDocument } from './searches/find-document.ts';
import { agreementList } from './triggers/agreement-list.ts';
import { contactList } from './triggers/contact-list.ts';
import { documentList } from './triggers/document-list.ts';
import { envelopeSigned } from './triggers/envelope-signed.ts';
import { linkList } from './triggers/link-list.ts';
import { linkViewed } from './triggers/link-viewed.ts';
import { proposalList } from './triggers/proposal-list.ts';
import { roomList } from './triggers/room-list.ts';
import { templateList } from './triggers/template-list.ts';

export default defineApp({
  version: pack.version,
  platformVersion,
  authentication,
  beforeRequest: [addKey],
  throttle: { window: 60, limit: 50, scope: ['auth'] },
  hydrators: { fetchSignedDocument },
  triggers: byKey([
    linkViewed,
    envelopeSigned,
    documentList,
    linkList,
    roomList,
    agreementList,
    proposalList,
    templateList,
    contactList,
  ]),
  creates: byKey([createLink, sendAgreement, uploadDocument]),
  searches: byKey([findDocument]),
});

function byKey<Operation extends { readonly key: string }>(
  operations: readonly Operation[],
): Record<string, Operation> {
  return Object.fromEntries(operations.map((operation) => [operation.key, operation]));
}
