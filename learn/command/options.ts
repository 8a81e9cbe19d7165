import { parseArgs } from 'node:util';
import { nearName } from '../../src/call/near-name.ts';
import { InputError } from '../../src/errors.ts';
import { USUAL_BUDGET } from '../learn.ts';
import { TOPICS, type Topic } from '../questions/question.ts';

export interface LearnCommand {
  readonly budget: number;
  readonly only: readonly Topic[] | undefined;
  /** The folder that profile and report are written to. */
  readonly out: string;
  readonly resume: boolean;
  /** Makes documents of what is known already, and asks nothing. */
  readonly openapi: boolean;
  readonly help: boolean;
}

const OPTIONS = {
  budget: { type: 'string' },
  only: { type: 'string', multiple: true },
  out: { type: 'string' },
  resume: { type: 'boolean' },
  openapi: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const LEARN_USAGE = `Usage: docshare learn [options]

Asks the service what its API document leaves open, and writes docshare.profile.json and a report (Markdown and HTML).
It only reads.

  --budget N       calls to the service, at most (default ${USUAL_BUDGET})
  --only a,b       only these topics: ${TOPICS.slice(0, 8).join(', ')},
                   ${TOPICS.slice(8).join(', ')}
  --resume         goes on from the profile that is there: what it knows stands
  --out DIR        where profile and report are written (default: the working folder)
  --openapi        asks nothing: writes docshare.openapi.json and docshare.api.d.ts from the profile that is there
                   (DOCSHARE_PROFILE, else in the folder), or from the API document alone
  -h, --help       prints this

Environment: DOCSHARE_API_KEY, DOCSHARE_BASE_URL (ends in /api/v1)
`;

/** @throws InputError for what can't be meant, naming what is known. */
export function parseLearn(args: readonly string[]): LearnCommand {
  const known = Object.keys(OPTIONS);
  for (const arg of args) {
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name === undefined || known.includes(name)) continue;
    const near = nearName(name, known);
    throw new InputError(
      `There is no option --${name}${near ? `; did you mean --${near}?` : '.'} Known: ${known.map((one) => `--${one}`).join(', ')}.`,
    );
  }
  const { values } = parse(args);
  return {
    budget: wholeNumber('budget', values.budget ?? `${USUAL_BUDGET}`, { from: 1, to: 1000 }),
    only: topics(values.only),
    out: values.out ?? '.',
    resume: values.resume ?? false,
    openapi: values.openapi ?? false,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS });
  } catch (error) {
    throw new InputError(`${(error as Error).message} See docshare learn --help.`);
  }
}

function topics(given: readonly string[] | undefined): readonly Topic[] | undefined {
  if (given === undefined) return undefined;
  const names = given
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter(Boolean);
  for (const name of names)
    if (!TOPICS.some((topic) => topic === name)) {
      const near = nearName(name, TOPICS);
      throw new InputError(
        `--only: there is no topic "${name}"${near ? `; did you mean ${near}?` : '.'} Known: ${TOPICS.join(', ')}.`,
      );
    }
  if (names.length === 0) throw new InputError(`--only takes topics: ${TOPICS.join(', ')}.`);
  return TOPICS.filter((topic) => names.includes(topic));
}

function wholeNumber(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new InputError(`--${name} takes a whole number from ${from} to ${to}, not "${text}".`);
}
