import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { getEffects, takeMoment } from './effects.ts';
import { type End, type Grade, grade, type Job } from './job.ts';
import { openToolbox, type ServerName, type Toolbox } from './toolbox.ts';
import { DIALECTS, openWorld, type World } from './world.ts';

export interface Result extends Grade {
  readonly job: string;
  readonly subject: Job['subject'];
  readonly calls: number;
  readonly errors: number;
  /** Tokens of the arguments and the results. */
  readonly tokens: number;
  /** Tokens of the tool list and the server's instructions, which a host sends with each request. */
  readonly listTokens: number;
  readonly questions: number;
  readonly answer: string;
  readonly transcript: readonly string[];
}

/** Makes one attempt at a job, on a service that nobody else uses. */
export interface Attempt extends Pick<Toolbox, 'tools' | 'instructions' | 'call'> {
  readonly world: World;
  finish(answer: string): Promise<Result>;
}

export async function openAttempt(job: Job, server: ServerName): Promise<Attempt> {
  const dialect =
    job.dialect ?? DIALECTS[[...job.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % DIALECTS.length];
  const world = await openWorld(dialect ?? 'modern');
  await job.prepare?.(world);
  const before = takeMoment(world);
  const questions: { text: string; approved: boolean }[] = [];
  const toolbox = await openToolbox(server, world, (text) => {
    const approved = job.approve?.(text) ?? true;
    questions.push({ text, approved });
    return approved;
  });
  const transcript: string[] = [];
  let [calls, errors, tokens] = [0, 0, 0];
  const listTokens = encode(JSON.stringify(toolbox.tools) + toolbox.instructions).length;
  return {
    world,
    tools: toolbox.tools,
    instructions: toolbox.instructions,
    async call(name, args) {
      const result = await toolbox
        .call(name, args)
        .catch((error: Error) => ({ text: `Error: ${error.message}`, isError: true }));
      calls += 1;
      errors += Number(result.isError);
      const sent = JSON.stringify(args);
      tokens += encode(sent + result.text, { disallowedSpecial: new Set() }).length;
      transcript.push(`${name} ${sent}`, result.text);
      return result;
    },
    async finish(answer) {
      await toolbox.close();
      const after = takeMoment(world);
      const end: End = { world, before, after, effects: getEffects(before, after), answer, questions };
      const graded = grade(job, end);
      await world.close();
      const figures = { calls, errors, tokens, listTokens, questions: questions.length };
      return { job: job.id, subject: job.subject, ...graded, ...figures, answer, transcript };
    },
  };
}
