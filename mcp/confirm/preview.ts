import type { JsonObject } from '../../src/records/fields.ts';
import { formatArguments, toVisibleJson } from '../result/quote.ts';
import { ToolError } from '../tool-error.ts';

/** What a host shows whole, and a person reads. */
const MAX_PREVIEW_LENGTH = 12_000;
const MAX_DETAILS_LENGTH = 6000;

/** From all there is to a glimpse of each field: none is ever left out. */
const DETAIL_LEVELS = [
  { lines: 40, characters: 200 },
  { lines: 8, characters: 80 },
  { lines: 2, characters: 40 },
];

/**
 * What a person reads before they agree: our own sentences, then all that will be sent, each value quoted on a line of
 * its own, so that nothing in the arguments can pass for ours.
 * @throws ToolError for more fields than anybody reads.
 */
export function formatPreview(summary: string, args: JsonObject): string {
  for (const detail of DETAIL_LEVELS) {
    const lines = formatArguments(args, detail).map((line) => `- ${line}`);
    const preview =
      lines.length === 0 ? summary : [summary, '', 'Sent as the assistant gave it:', ...lines].join('\n');
    if (preview.length <= MAX_PREVIEW_LENGTH) return preview;
  }
  throw new ToolError(
    'invalid_arguments',
    'fields: more than a person can check before they agree. Send fewer fields in one call.',
  );
}

/** The preview and what the service says about the object, for a form, which has no other place for it. */
export function formatFormMessage(preview: string, details: JsonObject | undefined): string {
  if (!details) return preview;
  const json = toVisibleJson(details);
  const omitted = json.length - MAX_DETAILS_LENGTH;
  const clippedJson =
    omitted > 0 ? `${json.slice(0, MAX_DETAILS_LENGTH)}… (and ${omitted} more characters, not shown)` : json;
  return `${preview}\n\nAbout (as the service describes it): ${clippedJson}`;
}
