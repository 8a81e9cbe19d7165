import {
  EVENT_DATA_FIELDS,
  EVENT_ID_FIELDS,
  EVENT_KIND_FIELDS,
  EVENT_TIME_FIELDS,
  FINALIZED_ID_FIELDS,
  FORM_FIELD_NAMES,
  uploadStartBodies,
  WEBHOOK_SECRET_FIELDS,
  webhookBodies,
} from '../../src/assumptions/index.ts';
import { codes, confirmed, fieldNames, judged, judgeNames, namesIn, other, unseen } from './judging.ts';
import type { Question } from './question.ts';

const NOT_WRITTEN = '--write was not given, or nothing of the kind could be removed again.';
const key = (body: object) => Object.keys(body).sort().join(' ');

export const WRITE_QUESTIONS: readonly Question[] = [
  {
    name: 'upload-start',
    topic: 'uploads',
    section: '§4',
    asks: 'Which body does POST /documents/uploads take?',
    settles: ['uploadStartBodies'],
    mode: 'write',
    probed:
      'The usual bodies are sent in turn until one is taken. A session that nobody finalizes leaves no document.',
    confirmedBy: 'One of the assumed bodies is taken.',
    judge: ({ facts: { uploadStart } }) => {
      if (!uploadStart) return unseen(NOT_WRITTEN);
      const words = `It takes ${codes(Object.keys(uploadStart)) || 'an empty body'}.`;
      const known = uploadStartBodies({ name: '', type: '', size: 0 }).map(key);
      return judged(known.includes(key(uploadStart)), words);
    },
  },
  {
    name: 'upload-storage',
    topic: 'uploads',
    section: '§4',
    asks: 'Which headers does the storage want, where is it, and how does it answer?',
    settles: ['isSessionSpent', 'MULTIPART_LIMIT_BYTES', 'UPLOAD_WAY_REFUSED'],
    mode: 'write',
    probed: 'A few bytes are sent to the address of the session.',
    confirmedBy: 'The bytes are stored with the headers that were given.',
    judge: ({ facts: { upload } }) => {
      if (!upload) return unseen(NOT_WRITTEN);
      const { headers, stored, sameOrigin, life } = upload;
      const words = `Headers ${codes(headers)}, ${sameOrigin ? 'on the API’s own origin' : 'on another origin'}${life === undefined ? '' : `, for ${life} s`}${stored === undefined ? '' : `, stored with ${stored}`}.`;
      return judged(stored === undefined || (stored >= 200 && stored < 300), words);
    },
  },
  {
    name: 'finalized',
    topic: 'uploads',
    section: '§4',
    asks: 'What does finalize answer?',
    settles: ['FINALIZED_ID_FIELDS'],
    mode: 'write',
    probed:
      'Only where the service removes documents: an upload of a few bytes is finalized, and the document removed.',
    confirmedBy: 'The document’s id stands under an assumed name.',
    judge: ({ operations: { 'documents.finalizeUpload': called } }) => {
      if (!called?.answer || called.answer.seen === 0) return unseen(NOT_WRITTEN);
      return judgeNames([called.answer.body], {
        names: [...FINALIZED_ID_FIELDS, 'id'],
        what: 'The document',
      });
    },
  },
  {
    name: 'bodies',
    topic: 'writes',
    section: '§4',
    asks: 'Which bodies do the writes take, whose bodies the document does not state?',
    settles: [
      'FORM_BODIES',
      'FORM_NAMES',
      'SIGNING_FIELDS',
      'signingBodies',
      'mcp/REFERENCE_FIELDS',
      'mcp/RECIPIENT_FIELDS',
    ],
    mode: 'write',
    probed: 'The usual bodies are sent in turn until one is taken; what it made is removed.',
    confirmedBy: 'Every kind that was tried took a body of assumed names.',
    judge: ({ operations: called }) => {
      const taken = Object.entries(called).flatMap(([name, one]) =>
        one?.takes ? [{ name, schema: one.takes }] : [],
      );
      if (taken.length === 0) return unseen(NOT_WRITTEN);
      const known = [...Object.values(FORM_FIELD_NAMES).flat(), 'url', 'events', 'document_id'];
      const words = taken.map(({ name, schema }) => `${name}: ${codes(fieldNames([schema]))}`).join('; ');
      return taken.every(({ schema }) => namesIn([schema], known).length > 0)
        ? confirmed(`${words}.`)
        : other(`${words}.`);
    },
  },
  {
    name: 'written',
    topic: 'writes',
    section: '§7',
    asks: 'What do a creation, an update and a deletion answer?',
    settles: ['isBodyRefused'],
    mode: 'write',
    probed: 'Throwaway objects are made, changed and removed.',
    confirmedBy: 'A 2xx in each case.',
    judge: ({ operations: called }) => {
      const seen = (
        [
          'links.create',
          'links.update',
          'links.delete',
          'templates.create',
          'templates.update',
          'templates.delete',
          'webhooks.create',
          'webhooks.delete',
        ] as const
      ).flatMap((name) => {
        const answer = called[name]?.answer;
        return answer && answer.seen > 0
          ? [`${name}: ${answer.status}${answer.media === null ? ' without a body' : ''}`]
          : [];
      });
      return seen.length === 0 ? unseen(NOT_WRITTEN) : confirmed(`${seen.join(', ')}.`);
    },
  },
  {
    name: 'webhook-body',
    topic: 'webhooks',
    section: '§4',
    asks: 'Which body does POST /webhooks take?',
    settles: ['webhookBodies'],
    mode: 'write',
    probed: 'The usual bodies are sent in turn until one is taken; the registration is removed.',
    confirmedBy: 'One of the assumed bodies is taken.',
    judge: ({ facts: { webhook } }) => {
      if (!webhook) return unseen(NOT_WRITTEN);
      const words = `It takes ${codes(Object.keys(webhook))}.`;
      return judged(webhookBodies('', ['a']).map(key).includes(key(webhook)), words);
    },
  },
  {
    name: 'webhook-secret',
    topic: 'webhooks',
    section: '§4',
    asks: 'Where does a registration hold its id, and the secret that signs its deliveries?',
    settles: ['WEBHOOK_SECRET_FIELDS', 'SUBSCRIPTION_ID_FIELDS'],
    mode: 'write',
    probed: 'The answer to a throwaway registration.',
    confirmedBy: 'A secret under an assumed name, or none.',
    judge: ({ facts: { webhookSecret } }) => {
      if (webhookSecret === undefined) return unseen(NOT_WRITTEN);
      if (webhookSecret === null) return confirmed('The answer holds no secret.');
      const words = `The secret stands under ${codes([webhookSecret.join('.')])}.`;
      return judged(WEBHOOK_SECRET_FIELDS.includes(webhookSecret.at(-1) ?? ''), words);
    },
  },
  {
    name: 'event-shape',
    topic: 'events',
    section: '§6',
    asks: 'What does a delivered event hold, and under which names?',
    settles: [
      'EVENT_KIND_FIELDS',
      'EVENT_KINDS',
      'EVENT_PROBES',
      'EVENT_SUBJECT_FIELDS',
      'EVENT_BATCH_FIELDS',
      'EVENT_ID_FIELDS',
      'EVENT_TIME_FIELDS',
      'EVENT_DATA_FIELDS',
      'EVENT_KIND_HEADERS',
      'DELIVERY_ID_HEADERS',
      'AGREEMENT_END_EVENTS',
    ],
    mode: 'visit',
    probed:
      'With --write and --wait: a throwaway webhook receives what a visit or a signature that you make sends.',
    confirmedBy: 'Kind, id, time and data stand under assumed names.',
    judge: ({ facts: { event } }) => {
      if (!event) return unseen('No event was delivered; --write --wait SECONDS waits for one.');
      const names = [...EVENT_KIND_FIELDS, ...EVENT_ID_FIELDS, ...EVENT_TIME_FIELDS, ...EVENT_DATA_FIELDS];
      const finding = judgeNames([event.body], { names, what: 'An event' });
      return { ...finding, seen: `${finding.seen} Kinds: ${codes(event.kinds) || 'none that is assumed'}.` };
    },
  },
  {
    name: 'event-signature',
    topic: 'events',
    section: '§6',
    asks: 'How is a delivered event signed?',
    settles: ['STANDARD_WEBHOOK_HEADERS', 'isSignatureHeader'],
    mode: 'visit',
    probed:
      'The signature of a delivered event is checked with the secret of the registration, by each known scheme.',
    confirmedBy: 'A known scheme fits, or none is there.',
    judge: ({ facts: { event } }) => {
      if (!event) return unseen('No event was delivered; --write --wait SECONDS waits for one.');
      const words = `Signed by ${event.signature}${event.signatureHeader ? ` in ${codes([event.signatureHeader])}` : ''}.`;
      return event.signature === 'unknown' ? other(words) : confirmed(words);
    },
  },
];
