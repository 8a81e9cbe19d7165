import type { z } from 'zod';
import type { OperationName } from '../../src/operations/index.ts';
import { AgreementBody, AgreementSendBody } from './agreements.ts';
import { ContactBody, ContactChange, TagsBody } from './contacts.ts';
import { FinalizeBody, UploadForm } from './documents.ts';
import { LinkBody } from './links.ts';
import { ProposalBody, ProposalSendBody } from './proposals.ts';
import { FileBody, FolderBody, GroupBody, PermissionsBody, RoomBody } from './rooms.ts';
import { TemplateBody, TemplateChange } from './templates.ts';

/** The known fields of each write; other fields of the body are stored as sent. */
export const REQUEST_SCHEMAS: { readonly [Name in OperationName]?: z.ZodObject } = {
  'documents.create': UploadForm,
  'documents.finalizeUpload': FinalizeBody,
  'links.create': LinkBody,
  'links.update': LinkBody,
  'rooms.create': RoomBody,
  'rooms.addFolder': FolderBody,
  'rooms.addFile': FileBody,
  'rooms.addGroup': GroupBody,
  'rooms.setPermissions': PermissionsBody,
  'agreements.create': AgreementBody,
  'agreements.send': AgreementSendBody,
  'proposals.create': ProposalBody,
  'proposals.send': ProposalSendBody,
  'templates.create': TemplateBody,
  'templates.update': TemplateChange,
  'contacts.create': ContactBody,
  'contacts.update': ContactChange,
  'contacts.addTags': TagsBody,
};
