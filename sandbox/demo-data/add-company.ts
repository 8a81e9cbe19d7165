import { nameFromEmail } from '../base/name-from-email.ts';
import { createRandom, next, nextInteger, pick, type Random } from '../base/random.ts';
import type { ObjectKind } from '../profile/id-kinds.ts';
import type { DocumentRecord, LinkRecord } from '../state/records.ts';
import { generateId, type Service } from '../state/service.ts';
import { addDeals } from './add-deals.ts';
import { DOCUMENTS } from './document-list.ts';
import { DAY_MS, type Person, type SeedContext } from './founding.ts';
import { COMPANIES, FIRST_NAMES, LAST_NAMES, TAGS } from './words.ts';

/** Fills an empty service with demo data, the same for the same seed. Sends no events. */
export function addDemoData(service: Service, seed: number): void {
  const random = createRandom(seed);
  const record = (kind: ObjectKind, daysAgo: number) => {
    const at = Math.round(service.clock.now() - daysAgo * DAY_MS);
    return { id: generateId(service, kind), created_at: at, updated_at: at, custom: {} };
  };
  const people = createPersons(random, 16);
  people.forEach((person, index) => {
    const contact = {
      ...record('contact', 90 - index * 4),
      ...person,
      phone: next(random) < 0.5 ? `+1 555 01${nextInteger(random, 10, 99)}` : null,
      tags: [...new Set([pick(random, TAGS), pick(random, TAGS)])],
    };
    service.state.contacts.set(contact.id, contact);
  });
  const documents = DOCUMENTS.map(({ name, example, bytes, pages, size }, index) => {
    const entry = { ...record('document', 80 - index * 6), custom: {} };
    const document: DocumentRecord = {
      ...entry,
      name,
      file_name: `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.pdf`,
      versions: [
        {
          version: 1,
          content: { kind: 'example', name: example },
          content_type: 'application/pdf',
          size: bytes,
          pages: Array.from({ length: pages }, () => size),
          created_at: entry.created_at,
        },
      ],
    };
    service.state.documents.set(document.id, document);
    return document;
  });
  const seedContext: SeedContext = { service, random, people, documents, record };
  for (const [index, document] of documents.slice(0, 6).entries()) addLink(seedContext, document, index);
  addDeals(seedContext);
}

function createPersons(random: Random, count: number): Person[] {
  const people = new Map<string, Person>();
  while (people.size < count) {
    const company = pick(random, COMPANIES);
    const local = `${pick(random, FIRST_NAMES)}.${pick(random, LAST_NAMES)}`.toLowerCase();
    const email = `${local}@${company.domain}`;
    people.set(email, { email, name: nameFromEmail(email), company: company.name });
  }
  return [...people.values()];
}

/** Adds a link with the visits of its first weeks; the oldest link has expired. */
function addLink(seedContext: SeedContext, document: DocumentRecord, index: number): void {
  const { service, random, people, record } = seedContext;
  const entry = record('link', 34 - index * 5);
  const link: LinkRecord = {
    ...entry,
    document_id: document.id,
    room_id: null,
    name: `${document.name} for ${pick(random, COMPANIES).name}`,
    email_required: index % 2 === 0,
    password: index === 1 ? 'letmein' : null,
    nda_required: index === 2,
    expires_at: index === 0 ? entry.created_at + 2 * DAY_MS : null,
    max_visitors: index === 3 ? 25 : null,
    download_allowed: index !== 4,
  };
  service.state.links.set(link.id, link);
  const pages = document.versions[0]?.pages.length ?? 1;
  const times = Array.from({ length: nextInteger(random, 2, 7) }, () => next(random)).sort();
  for (const time of times) {
    const person = pick(random, people);
    const pagesRead = nextInteger(random, 1, pages);
    const dwell = new Map(
      Array.from({ length: pagesRead }, (_, page) => [page + 1, nextInteger(random, 3, 75) * 1000] as const),
    );
    const activeMs = Math.min(service.clock.now(), link.expires_at ?? Number.POSITIVE_INFINITY) - entry.created_at;
    const started_at = Math.round(entry.created_at + time * (activeMs - 3_600_000));
    const total = [...dwell.values()].reduce((sum, ms) => sum + ms, 0);
    const isNamed = link.email_required || next(random) < 0.5;
    const visit = {
      id: generateId(service, 'visit'),
      link_id: link.id,
      document_id: document.id,
      email: isNamed ? person.email : null,
      name: isNamed ? person.name : null,
      page_count: pages,
      started_at,
      ended_at: started_at + total,
      dwell,
      open: null,
    };
    service.state.visits.set(visit.id, visit);
  }
}
