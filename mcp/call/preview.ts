import type { JsonObject } from '../../src/answer/fields.ts';
import { listArguments, visibleJson } from '../answer/quoted.ts';
import { ToolError } from '../tool-error.ts';

const FIELDS_LIMIT = 100;
const ABOUT_LIMIT = 6000;

/**
 * What a person reads before they agree: our own sentences, then all that will be sent, each value quoted on a line of
 * its own, so that nothing in the arguments can pass for ours.
 * @throws ToolError for more fields than anybody reads.
 */
export function previewOf(will: string, args: JsonObject): string {
  const { fields } = args;
  const count = Object.keys(typeof fields === 'object' && fields !== null ? fields : {}).length;
  if (count > FIELDS_LIMIT)
    throw new ToolError(
      'invalid_arguments',
      `fields: ${count} fields are more than a person can check at once. Send at most ${FIELDS_LIMIT} in one call.`,
    );
  const lines = listArguments(args);
  return lines.length === 0
    ? will
    : `${will}\n\nSent as the assistant gave it:\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** The preview and what the service says about the object, for a form, which has no other place for it. */
export function messageOf(preview: string, about: JsonObject | undefined): string {
  if (!about) return preview;
  const shown = visibleJson(about);
  const left = shown.length - ABOUT_LIMIT;
  const cut = left > 0 ? `${shown.slice(0, ABOUT_LIMIT)}… (and ${left} more characters, not shown)` : shown;
  return `${preview}\n\nAbout (as the service describes it): ${cut}`;
}
