import { randomBytes } from 'node:crypto';
import { createSandbox, type Sandbox } from '../sandbox/index.ts';
import { createRandom, next, nextInteger, type Random } from '../sandbox/random.ts';
import { SCOPES } from '../src/scopes.ts';
import { type Fields, type Platform, startPlatform } from '../test/world/zapier-lambda.ts';
import { bundleOf } from '../test/world/zapier-world.ts';
import { receiveHooks } from './demo-hooks.ts';
import type { Row } from './scale-workspace.ts';

/** Events that really happen; a fifth of them is delivered twice. */
const EVENTS = 750;
const TWICE = 150;
const FORGED = 100;
/** How often the platform's cache fails. */
const FAILING = 0.05;
const SEED = 12;

interface Delivery {
  /** What tells a true event: its visit. Undefined for a forged one. */
  readonly visit?: string;
  readonly bundle: Fields;
}

/** Hands 1,000 deliveries to Link Viewed in random order and counts which of them run a Zap. */
export async function measureDeliveries(
  profile: 'modern' | 'raw',
  events: number = EVENTS,
): Promise<readonly Row[]> {
  const random = createRandom(SEED);
  const sandbox = await createSandbox({ profile, seed: SEED });
  const zap = await startPlatform({ apiKey: sandbox.key(), baseUrl: sandbox.url });
  const hooks = await receiveHooks();
  try {
    const targetUrl = hooks.address('/views');
    const subscribeData = await zap.run('triggers.link_viewed.operation.performSubscribe', { targetUrl });
    const link = (await zap.run<Fields[]>('triggers.link_list.operation.perform')).at(0)?.['id'];
    const open = await zap.run('creates.create_link.operation.perform', {
      inputData: {
        document: (await zap.run<Fields[]>('triggers.document_list.operation.perform')).at(0)?.['id'],
      },
    });
    const share = events / EVENTS;
    const real: Delivery[] = [];
    for (let at = 0; at < events; at++) {
      const { id } = await sandbox.visit(String(open['id'] ?? link), { email: `v${at}@x.example` });
      const delivered = await hooks.next('/views', 10_000);
      real.push({ visit: String(id), bundle: bundleOf(delivered, subscribeData) });
    }
    const forged = Array.from({ length: Math.round(FORGED * share) }, (_, at) => forge(random, real, at));
    const [first, ...rest] = shuffled(random, [
      ...real,
      ...real.slice(0, Math.round(TWICE * share)),
      ...forged,
    ]);
    // That a service signs is known from its first signed delivery on.
    const start = first?.visit === undefined ? real.slice(0, 1) : [];
    const deliveries = [...start, ...(first ? [first] : []), ...rest];
    return await deliver({ sandbox, zap, random, deliveries, profile, events });
  } finally {
    await hooks.close();
    await zap.close();
    await sandbox.close();
  }
}

async function deliver(given: {
  sandbox: Sandbox;
  zap: Platform;
  random: Random;
  deliveries: readonly Delivery[];
  profile: 'modern' | 'raw';
  events: number;
}): Promise<readonly Row[]> {
  const { sandbox, zap, random, deliveries, profile, events } = given;
  const runs = new Map<string, number>();
  let forgedRuns = 0;
  let most = 0;
  let verifiedForged = 0;
  zap.cache.failing = () => next(random) < FAILING;
  for (const { visit, bundle } of deliveries) {
    // Between two deliveries a minute may pass: each has the whole limit.
    const authData = { apiKey: sandbox.key(SCOPES), baseUrl: sandbox.url };
    sandbox.log.clear();
    const given = await zap.run<Fields[]>('triggers.link_viewed.operation.perform', { ...bundle, authData });
    most = Math.max(most, sandbox.log.entries().length);
    if (visit !== undefined) runs.set(visit, (runs.get(visit) ?? 0) + given.length);
    else {
      forgedRuns += given.length;
      verifiedForged += given.filter(({ verified }) => verified === true).length;
    }
  }
  const signs = profile === 'modern';
  const workspace = `${deliveries.length} deliveries, ${signs ? 'signed' : 'not signed'}`;
  const exactly = (what: string, number: number, goal: number): Row => ({
    workspace,
    what,
    number,
    goal,
    exact: true,
  });
  return [
    exactly('true events that ran the Zap', runs.size, events),
    exactly('true events that ran it once', [...runs.values()].filter((count) => count === 1).length, events),
    exactly('forged ones that ran it as verified', verifiedForged, 0),
    ...(signs ? [exactly('forged ones that ran it', forgedRuns, 0)] : []),
    { workspace, what: 'requests of an event', number: most, goal: signs ? 0 : 2 },
  ];
}

/** Somebody who has heard of the address: a body like a true one, about a visit that never was, badly signed or not at all. */
function forge(random: Random, real: readonly Delivery[], at: number): Delivery {
  const like = real[nextInteger(random, 0, real.length - 1)];
  const raw = (like?.bundle['rawRequest'] ?? {}) as { content: string; headers: Record<string, string> };
  const content = raw.content
    .replaceAll(String(like?.visit), `forged-${at}`)
    .replace(/evt_\w+/g, `evt_forged${at}`);
  const isSigned = at % 2 === 0;
  const headers = Object.fromEntries(
    Object.entries(raw.headers)
      .filter(([name]) => isSigned || !/sign/i.test(name))
      .map(([name, value]) => [
        name,
        /sign/i.test(name) ? `v1,${randomBytes(32).toString('base64')}` : value,
      ]),
  );
  return {
    bundle: {
      ...like?.bundle,
      cleanedRequest: JSON.parse(content),
      rawRequest: { ...raw, content, headers },
    },
  };
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items];
  for (let at = left.length - 1; at > 0; at--) {
    const other = nextInteger(random, 0, at);
    [left[at], left[other]] = [left[other] as Item, left[at] as Item];
  }
  return left;
}
