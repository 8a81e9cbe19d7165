import { createRandom, nextNumber, nextText } from '../base/random.ts';
import { Rejection } from '../base/rejection.ts';
import { ID_PREFIXES, type IdFormat, type ObjectKind } from '../profile/id-kinds.ts';
import type { Delivery } from './delivery.ts';
import type {
  AgreementRecord,
  ContactRecord,
  DocumentRecord,
  LinkRecord,
  ProposalRecord,
  RoomRecord,
  TemplateRecord,
  UploadRecord,
  Version,
  VisitRecord,
  WebhookRecord,
} from './records.ts';

/** Creates an empty state. It holds plain values only, so that `structuredClone` copies it into a snapshot. */
export function createState(seed: number) {
  return {
    random: createRandom(seed),
    /** Number of ids created. */
    idCount: 0,
    documents: new Map<string, DocumentRecord>(),
    links: new Map<string, LinkRecord>(),
    rooms: new Map<string, RoomRecord>(),
    agreements: new Map<string, AgreementRecord>(),
    proposals: new Map<string, ProposalRecord>(),
    templates: new Map<string, TemplateRecord>(),
    contacts: new Map<string, ContactRecord>(),
    visits: new Map<string, VisitRecord>(),
    webhooks: new Map<string, WebhookRecord>(),
    uploads: new Map<string, UploadRecord>(),
    deliveries: new Map<string, Delivery>(),
    /** File names on disk, by storage key. */
    files: new Map<string, string>(),
    /** Ids of records that callers created, not of initial data. */
    callerCreatedIds: new Map<string, true>(),
    /** Number of secrets created. */
    secretCount: 0,
    /** Bytes of JSON stored for callers. */
    storedJsonBytes: 0,
    usage: { api_requests: 0, bytes_uploaded: 0, agreements_sent: 0 },
  };
}

export type State = ReturnType<typeof createState>;

const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Creates an id in a format; the same seed and order of calls give the same ids. */
export function createId(state: State, kind: ObjectKind, format: IdFormat): string {
  state.idCount += 1;
  if (typeof format === 'object') return `${format.prefix}${nextText(state.random, 16, ID_ALPHABET)}`;
  switch (format) {
    case 'opaque':
      return nextText(state.random, 20, ID_ALPHABET);
    case 'prefixed':
      return `${ID_PREFIXES[kind]}_${nextText(state.random, 16, ID_ALPHABET)}`;
    case 'digits':
    case 'numbers':
      return String(100_000 + state.idCount * 7 + Math.floor(nextNumber(state.random) * 7));
    case 'uuid': {
      const hex = nextText(state.random, 30, '0123456789abcdef');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18)}`;
    }
  }
}

/** @throws Rejection `unknownId`, the same for deleted records and ids that never existed */
export function findRecord<T>(records: ReadonlyMap<string, T>, id: string, kind: ObjectKind): T {
  const found = records.get(id);
  if (found === undefined) throw new Rejection('unknownId', `No ${kind} with id "${id.slice(0, 80)}"`);
  return found;
}

export function listNewestFirst<T>(records: ReadonlyMap<string, T>): T[] {
  return [...records.values()].reverse();
}

export function getLatestVersion(document: DocumentRecord): Version {
  const version = document.versions.at(-1);
  if (!version) throw new Error(`Document ${document.id} has no version`);
  return version;
}
