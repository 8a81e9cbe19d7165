/** Stored records. Names are snake_case, times (`…_at`) epoch ms; `custom` holds fields that callers added. */
import type { Scope } from '../../src/scopes.ts';

export type CustomFields = Record<string, unknown>;

interface Stored {
  readonly id: string;
  readonly created_at: number;
  updated_at: number;
  custom: CustomFields;
}

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes on disk, a PDF of `demo-data/example-files`, or a generated page for an agreement without a document. */
export type Content =
  | { readonly kind: 'file'; readonly key: string }
  | { readonly kind: 'example'; readonly name: string }
  | { readonly kind: 'drawn'; readonly title: string };

export interface Version {
  readonly version: number;
  readonly content: Content;
  readonly content_type: string;
  readonly size: number;
  readonly pages: readonly PageSize[];
  readonly created_at: number;
}

export interface DocumentRecord extends Stored {
  name: string;
  file_name: string;
  versions: Version[];
}

export interface LinkRecord extends Stored {
  document_id: string | null;
  room_id: string | null;
  name: string | null;
  email_required: boolean;
  password: string | null;
  nda_required: boolean;
  expires_at: number | null;
  max_visitors: number | null;
  /** The room group whose permissions visitors get. */
  group_id?: string | null;
  /** True if the page offers a download. A reader's browser receives the bytes anyway. */
  download_allowed: boolean;
}

export interface FolderRecord extends Stored {
  name: string;
  parent_id: string | null;
}

export interface RoomFileRecord extends Stored {
  name: string;
  document_id: string;
  folder_id: string | null;
}

export interface GroupRecord extends Stored {
  name: string;
  emails: string[];
}

export interface RoomRecord extends Stored {
  name: string;
  description: string | null;
  folders: FolderRecord[];
  files: RoomFileRecord[];
  groups: GroupRecord[];
  /** The matrix as sent. */
  permissions: CustomFields;
}

export interface RecipientRecord {
  readonly id: string;
  name: string;
  email: string;
  role: string;
  status: 'waiting' | 'sent' | 'viewed' | 'signed';
  viewed_at: number | null;
  signed_at: number | null;
  signed_name: string | null;
  custom: CustomFields;
}

/** Ways in which an agreement ends without its signatures. */
export const AGREEMENT_ENDS = ['declined', 'voided', 'expired'] as const;
export type AgreementEnd = (typeof AGREEMENT_ENDS)[number];

export interface AgreementRecord extends Stored {
  name: string;
  message: string | null;
  document_id: string | null;
  template_id: string | null;
  status: 'draft' | 'sent' | 'viewed' | 'signed' | AgreementEnd;
  recipients: RecipientRecord[];
  sent_at: number | null;
  signed_at: number | null;
}

export interface ProposalRecord extends Stored {
  name: string;
  message: string | null;
  status: 'draft' | 'sent' | 'viewed' | 'accepted' | 'declined';
  recipients: RecipientRecord[];
  items: CustomFields[];
  currency: string;
  sent_at: number | null;
  accepted_at: number | null;
}

export interface TemplateRecord extends Stored {
  name: string;
  description: string | null;
  document_id: string | null;
  roles: string[];
  fields: CustomFields[];
}

export interface ContactRecord extends Stored {
  email: string;
  name: string | null;
  company: string | null;
  phone: string | null;
  tags: string[];
}

export interface VisitRecord {
  readonly id: string;
  readonly link_id: string;
  readonly document_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly page_count: number;
  readonly started_at: number;
  ended_at: number;
  /** Milliseconds read, by page number. */
  readonly dwell: Map<number, number>;
  /** The open page, and since when. */
  open: { readonly page: number; readonly since: number } | null;
  /** Secret of the visitor's browser: ids can be guessed if a profile numbers them. */
  readonly pass?: string;
  /** The link's requirements when the visit started. */
  readonly gate?: string;
}

export interface WebhookRecord extends Stored {
  url: string;
  events: string[];
  status: 'active' | 'disabled';
  readonly secret: string;
}

export interface UploadRecord {
  readonly storage_key: string;
  readonly token: string;
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file_name: string | null;
  readonly expires_at: number;
  status: 'open' | 'receiving' | 'stored' | 'finalized';
  size: number;
}

export interface KeyRecord {
  readonly key: string;
  readonly fingerprint: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly created_at: number;
  revoked: boolean;
}
