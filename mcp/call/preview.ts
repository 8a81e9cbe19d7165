import type { JsonObject } from '../../src/answer/fields.ts';
import { listArguments, visibleJson } from '../answer/quoted.ts';
import { ToolError } from '../tool-error.ts';

/** What a host shows whole, and a person reads. */
const LENGTH_LIMIT = 12_000;
const ABOUT_LIMIT = 6000;

/** From all there is to a glimpse of each field: none is ever left out. */
const DETAILS = [
  { lines: 40, characters: 200 },
  { lines: 8, characters: 80 },
  { lines: 2, characters: 40 },
];

/**
 * What a person reads before they agree: our own sentences, then all that will be sent, each value quoted on a line of
 * its own, so that nothing in the arguments can pass for ours.
 * @throws ToolError for more fields than anybody reads.
 */
export function formatPreview(will: string, args: JsonObject): string {
  for (const detail of DETAILS) {
    const lines = listArguments(args, detail).map((line) => `- ${line}`);
    const preview =
      lines.length === 0 ? will : [will, '', 'Sent as the assistant gave it:', ...lines].join('\n');
    if (preview.length <= LENGTH_LIMIT) return preview;
  }
  throw new ToolError(
    'invalid_arguments',
    'fields: more than a person can check before they agree. Send fewer fields in one call.',
  );
}

/** The preview and what the service says about the object, for a form, which has no other place for it. */
export function formatFormMessage(preview: string, about: JsonObject | undefined): string {
  if (!about) return preview;
  const shown = visibleJson(about);
  const left = shown.length - ABOUT_LIMIT;
  const cut = left > 0 ? `${shown.slice(0, ABOUT_LIMIT)}… (and ${left} more characters, not shown)` : shown;
  return `${preview}\n\nAbout (as the service describes it): ${cut}`;
}
