import { randomBytes } from 'node:crypto';
import { createRandom, nextInteger, nextNumber, type Random } from '../sandbox/base/random.ts';
import { createSandbox, type Sandbox } from '../sandbox/index.ts';
import { startWebhookReceiver } from '../scripts/demo-webhook-receiver.ts';
import { SCOPES } from '../src/scopes.ts';
import { bundleOf, type Fields, type Platform, startPlatform } from '../test/support/zapier-lambda.ts';
import type { Row } from './scale-workspace.ts';

/** Real events, a fifth of which are delivered twice. */
const EVENTS = 750;
const DUPLICATES = 150;
const FORGED = 100;
/** Failure rate of the platform's cache. */
const CACHE_FAILURE_RATE = 0.05;
const SEED = 12;

interface Delivery {
  /** ID of the visit; undefined for a forged event. */
  readonly visit?: string;
  readonly bundle: Fields;
}

/** Sends 1,000 deliveries to Link Viewed in random order and counts those that trigger the Zap. */
export async function measureDeliveries(profile: 'modern' | 'raw', events: number = EVENTS): Promise<readonly Row[]> {
  const random = createRandom(SEED);
  const sandbox = await createSandbox({ profile, seed: SEED });
  const app = await startPlatform({ apiKey: sandbox.key(), baseUrl: sandbox.url });
  const receiver = await startWebhookReceiver();
  try {
    const targetUrl = receiver.urlFor('/views');
    const subscribeData = await app.run('triggers.link_viewed.operation.performSubscribe', { targetUrl });
    const link = (await app.run<Fields[]>('triggers.link_list.operation.perform')).at(0)?.['id'];
    const open = await app.run('creates.create_link.operation.perform', {
      inputData: { document: (await app.run<Fields[]>('triggers.document_list.operation.perform')).at(0)?.['id'] },
    });
    const scale = events / EVENTS;
    const real: Delivery[] = [];
    for (let index = 0; index < events; index++) {
      const { id } = await sandbox.visit(String(open['id'] ?? link), { email: `v${index}@x.example` });
      const delivered = await receiver.nextDelivery('/views', 10_000);
      real.push({ visit: String(id), bundle: bundleOf(delivered, subscribeData) });
    }
    const forged = Array.from({ length: Math.round(FORGED * scale) }, (_, index) => createForgery(random, real, index));
    const [first, ...rest] = shuffle(random, [...real, ...real.slice(0, Math.round(DUPLICATES * scale)), ...forged]);
    // The app knows that a service signs once it has received a signed delivery.
    const start = first?.visit === undefined ? real.slice(0, 1) : [];
    const deliveries = [...start, ...(first ? [first] : []), ...rest];
    return await deliver({ sandbox, app, random, deliveries, profile, events });
  } finally {
    await receiver.close();
    await app.close();
    await sandbox.close();
  }
}

async function deliver(options: {
  sandbox: Sandbox;
  app: Platform;
  random: Random;
  deliveries: readonly Delivery[];
  profile: 'modern' | 'raw';
  events: number;
}): Promise<readonly Row[]> {
  const { sandbox, app, random, deliveries, profile, events } = options;
  const runs = new Map<string, number>();
  let forgedRuns = 0;
  let maxRequests = 0;
  let verifiedForged = 0;
  app.cache.failing = () => nextNumber(random) < CACHE_FAILURE_RATE;
  for (const { visit, bundle } of deliveries) {
    // Each has the whole rate limit, since a minute may pass between two deliveries.
    const authData = { apiKey: sandbox.key(SCOPES), baseUrl: sandbox.url };
    sandbox.log.clear();
    const options = await app.run<Fields[]>('triggers.link_viewed.operation.perform', { ...bundle, authData });
    maxRequests = Math.max(maxRequests, sandbox.log.entries().length);
    if (visit !== undefined) runs.set(visit, (runs.get(visit) ?? 0) + options.length);
    else {
      forgedRuns += options.length;
      verifiedForged += options.filter(({ verified }) => verified === true).length;
    }
  }
  const isSigned = profile === 'modern';
  const workspace = `${deliveries.length} deliveries, ${isSigned ? 'signed' : 'not signed'}`;
  const exactRow = (metric: string, number: number, goal: number): Row => ({
    workspace,
    metric,
    number,
    goal,
    exact: true,
  });
  return [
    exactRow('true events that ran the Zap', runs.size, events),
    exactRow('true events that ran it once', [...runs.values()].filter((count) => count === 1).length, events),
    exactRow('forged ones that ran it as verified', verifiedForged, 0),
    ...(isSigned ? [exactRow('forged ones that ran it', forgedRuns, 0)] : []),
    { workspace, metric: 'requests of an event', number: maxRequests, goal: isSigned ? 0 : 2 },
  ];
}

/** Forged delivery by someone who knows the URL: a plausible body without a valid signature. */
function createForgery(random: Random, real: readonly Delivery[], index: number): Delivery {
  const template = real[nextInteger(random, 0, real.length - 1)];
  const raw = (template?.bundle['rawRequest'] ?? {}) as { content: string; headers: Record<string, string> };
  const content = raw.content
    .replaceAll(String(template?.visit), `forged-${index}`)
    .replace(/evt_\w+/g, `evt_forged${index}`);
  const hasSignature = index % 2 === 0;
  const headers = Object.fromEntries(
    Object.entries(raw.headers)
      .filter(([name]) => hasSignature || !/sign/i.test(name))
      .map(([name, value]) => [name, /sign/i.test(name) ? `v1,${randomBytes(32).toString('base64')}` : value]),
  );
  return {
    bundle: { ...template?.bundle, cleanedRequest: JSON.parse(content), rawRequest: { ...raw, content, headers } },
  };
}

function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index--) {
    const other = nextInteger(random, 0, index);
    [result[index], result[other]] = [result[other] as Item, result[index] as Item];
  }
  return result;
}
