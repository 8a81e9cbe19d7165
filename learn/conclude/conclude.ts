import { getCandidates } from '../../src/answer/envelope.ts';
import { isObject } from '../../src/answer/fields.ts';
import { type NamedOperation, type OperationName, operations } from '../../src/operations/index.ts';
import type {
  OperationProfile,
  ResponseShape,
  ServiceFacts,
  ServiceProfile,
} from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { version } from '../../src/version.ts';
import { foldNames, namesIn } from '../form/fold-names.ts';
import { type Path, pathTo } from '../form/paths.ts';
import type { World } from '../probes/world.ts';
import type { Answer } from '../wire/session.ts';
import { formOfAnswer, mergeAnswers } from './answers.ts';
import { concludeDownload } from './download.ts';
import { concludeForms, concludeLimit, concludeRequestId } from './facts.ts';
import { concludeLists, joinLists } from './lists.ts';
import { concludeOthers } from './others.ts';
import { type IsOwn, ownNames, withOwnNames } from './own-names.ts';
import { withoutPersonalNames } from './personal-names.ts';
import { concludeRefusals, concludeScopes } from './refusals.ts';
import { concludeResources } from './resources.ts';

/** What is known besides the answers. */
interface Told {
  readonly mode: 'read' | 'write';
  readonly at: Date;
  /** What using it up has shown. */
  readonly limit?: ServiceFacts['limit'];
  readonly facts: ServiceFacts;
  readonly takes: Partial<Record<OperationName, Schema>>;
  /** Takes every name that is written as one of the service's for one. */
  readonly keepNames?: boolean | undefined;
}

export interface Concluded {
  readonly profile: ServiceProfile;
  /** Which names stand in it. */
  readonly isOwn: IsOwn;
}

/** Makes the profile of what was seen; what an earlier run learned stands where this one saw nothing. */
export function conclude(world: World, told: Told): Concluded {
  const { session, past } = world;
  const { mode, at, facts, takes, keepNames = false } = told;
  const { answers } = session;
  const { origin } = new URL(session.client.baseUrl);
  const lists = concludeLists(world);
  const called: Partial<Record<OperationName, OperationProfile>> = {};
  for (const named of operations) {
    const seen = answers.filter(({ asked, ok, status }) => {
      const isRedirectedFile = named.operation.responseKind === 'file' && status >= 300 && status < 400;
      return (
        asked.operation === named.name &&
        (ok || isRedirectedFile) &&
        (asked.as === undefined || asked.as === 'page')
      );
    });
    const before = past?.operations[named.name];
    const known = before?.answer && before.answer.seen > 0 ? before : undefined;
    const now = concludeCalled(named, seen);
    const list = joinLists(known?.list, lists.get(named.name));
    const joined = joinCalled(known, now);
    const sent = takes[named.name];
    if (joined || list)
      called[named.name] = { ...joined, ...(list ? { list } : {}), ...(sent ? { takes: sent } : {}) };
  }
  const own = withoutPersonalNames(called);
  const taken = namesOfMaps(own);
  const cleaned = Object.fromEntries(
    Object.entries(own).map(([name, one]) => [
      name,
      one.answer ? { ...one, answer: withoutMaps(one.answer, taken) } : one,
    ]),
  ) as ServiceProfile['operations'];
  const resources = { ...past?.resources, ...concludeResources(cleaned) };
  const requestId = concludeRequestId(answers);
  const limit = concludeLimit(answers);
  const download = concludeDownload(fileAnswer(answers), origin);
  const scopes = concludeScopes(answers);
  const refusals = Object.fromEntries(
    Object.entries(concludeRefusals(answers)).map(([kind, one]) => [kind, withoutMaps(one, taken)]),
  );
  const granted = new Set([...(past?.scopes.granted ?? []), ...scopes.granted]);
  const missing = [...new Set([...(past?.scopes.missing ?? []), ...scopes.missing])].filter(
    (one) => !granted.has(one),
  );
  const profile: ServiceProfile = {
    docshareProfile: 1,
    service: session.client.baseUrl,
    learned: {
      at: at.toISOString(),
      by: `docshare/${version}`,
      calls: (past?.learned.calls ?? 0) + session.recorder.calls,
      mode: past?.learned.mode === 'write' ? 'write' : mode,
      ...(keepNames ? { names: 'kept' as const } : {}),
    },
    scopes: { granted: [...granted], missing },
    facts: {
      ...past?.facts,
      ...concludeForms(resources),
      ...(download ? { download } : {}),
      ...(requestId === undefined ? {} : { requestId }),
      ...(limit
        ? { limit: { ...past?.facts.limit, ...told.limit, ...limit, ...getTriedKind(told.limit) } }
        : {}),
      ...facts,
    },
    operations: concludeOthers(cleaned, resources),
    resources,
    refusals: { ...past?.refusals, ...refusals },
  };
  const isOwn = ownNames(profile, keepNames);
  return { profile: withOwnNames(profile, isOwn), isOwn };
}

/** What was tried wins over what headers let guess. */
function getTriedKind(limit: ServiceFacts['limit']): Pick<NonNullable<ServiceFacts['limit']>, 'kind'> {
  return limit?.kind ? { kind: limit.kind } : {};
}

function fileAnswer(answers: readonly Answer[]): Answer | undefined {
  return answers.find(
    ({ asked, ok, status }) =>
      asked.operation === 'agreements.document' && (ok || (status >= 300 && status < 400)),
  );
}

function concludeCalled(named: NamedOperation, seen: readonly Answer[]): OperationProfile | undefined {
  const [first] = seen;
  const forms = seen.map(formOfAnswer);
  const answer = forms.reduce<ResponseShape | undefined>(
    (all, one) => (all ? mergeAnswers(all, one) : one),
    undefined,
  );
  if (!first || !answer) return undefined;
  const item = named.operation.responseKind === 'item' ? itemPath(named, first) : undefined;
  return { answer, ...(item ? { item: [...item] } : {}) };
}

/** Where the one object stands in an answer. */
function itemPath(named: NamedOperation, { json }: Answer): Path | undefined {
  if (!isObject(json) && !Array.isArray(json)) return undefined;
  for (const reading of getCandidates(json, named.group)) {
    if (!named.operation.output.safeParse(reading).success && reading !== json) continue;
    return pathTo(json, reading) ?? [];
  }
  return [];
}

function joinCalled(
  past: OperationProfile | undefined,
  now: OperationProfile | undefined,
): OperationProfile | undefined {
  if (!past || !now) return now ?? past;
  const answer =
    past.answer && now.answer ? mergeAnswers(now.answer, past.answer) : (now.answer ?? past.answer);
  return { ...past, ...now, ...(answer ? { answer } : {}) };
}

/** Names in maps that several entries show to be people's; one object alone may bear them as well. */
function namesOfMaps(called: ServiceProfile['operations']): Set<string> {
  const bodies = Object.values(called).flatMap(({ answer }) => (answer?.body ? [answer.body] : []));
  return new Set(
    bodies.flatMap((body) => {
      const left = new Set(namesIn(foldNames(body)));
      return namesIn(body).filter((name) => !left.has(name));
    }),
  );
}

function withoutMaps(answer: ResponseShape, taken: ReadonlySet<string>): ResponseShape {
  return answer.body ? { ...answer, body: foldNames(answer.body, taken) } : answer;
}
