import { addContactTags } from './add-contact-tags.ts';
import { addRoomFile } from './add-room-file.ts';
import { addRoomFolder } from './add-room-folder.ts';
import { addRoomGroup } from './add-room-group.ts';
import { apiRequest } from './api-request.ts';
import { createAgreement } from './create-agreement.ts';
import { createContact } from './create-contact.ts';
import { createLink } from './create-link.ts';
import { createProposal } from './create-proposal.ts';
import { createRoom } from './create-room.ts';
import { createTemplate } from './create-template.ts';
import { deleteLink } from './delete-link.ts';
import { deleteTemplate } from './delete-template.ts';
import { sendAgreement } from './send-agreement.ts';
import { sendAndWait } from './send-and-wait.ts';
import { sendForSignature } from './send-for-signature.ts';
import { sendProposal } from './send-proposal.ts';
import { setRoomPermissions } from './set-room-permissions.ts';
import { shareDocument } from './share-document.ts';
import { updateContact } from './update-contact.ts';
import { updateLink } from './update-link.ts';
import { updateTemplate } from './update-template.ts';
import { uploadDocument } from './upload-document.ts';
import { uploadRoomFile } from './upload-room-file.ts';
import { upsertContact } from './upsert-contact.ts';

/** Every action, the most important first. */
export const creates = [
  sendForSignature,
  shareDocument,
  createLink,
  uploadDocument,
  sendAndWait,
  updateLink,
  deleteLink,
  upsertContact,
  createContact,
  updateContact,
  addContactTags,
  createRoom,
  uploadRoomFile,
  addRoomFile,
  addRoomFolder,
  addRoomGroup,
  setRoomPermissions,
  createAgreement,
  sendAgreement,
  createProposal,
  sendProposal,
  createTemplate,
  updateTemplate,
  deleteTemplate,
  apiRequest,
];
