import { addContactTags } from './add-contact-tags.ts';
import { addRoomFile } from './add-room-file.ts';
import { addRoomFolder } from './add-room-folder.ts';
import { addRoomGroup } from './add-room-group.ts';
import { apiRequest } from './api-request.ts';
import { createContact, updateContact } from './contact-actions.ts';
import { createAgreement } from './create-agreement.ts';
import { createLink } from './create-link.ts';
import { createProposal } from './create-proposal.ts';
import { createRoom } from './create-room.ts';
import { deleteLink, deleteTemplate } from './delete-record.ts';
import { sendAndWait } from './send-and-wait.ts';
import { sendForSignature } from './send-for-signature.ts';
import { sendAgreement, sendProposal } from './send-record.ts';
import { setRoomPermissions } from './set-room-permissions.ts';
import { shareDocument } from './share-document.ts';
import { createTemplate, updateTemplate } from './template-actions.ts';
import { updateLink } from './update-link.ts';
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
