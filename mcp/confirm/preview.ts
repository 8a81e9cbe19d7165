import type { JsonObject } from '../../src/records/fields.ts';
import { formatArguments, toVisibleJson } from '../result/quote.ts';
import { ToolError } from '../tool-error.ts';

/** Hosts show this many characters in full. */
const MAX_PREVIEW_LENGTH = 12_000;
const MAX_DETAILS_LENGTH = 6000;

/** Tried in order until the preview fits. Each field is always shown, at least partly. */
const DETAIL_LEVELS = [
  { lines: 40, characters: 200 },
  { lines: 8, characters: 80 },
  { lines: 2, characters: 40 },
];

/**
 * Preview that a user approves: the summary, then each value on its own line, quoted, so that no argument can pass for
 * text of this server.
 * @throws ToolError for too many fields to review.
 */
export function formatPreview(summary: string, args: JsonObject): string {
  for (const detail of DETAIL_LEVELS) {
    const lines = formatArguments(args, detail).map((line) => `- ${line}`);
    const preview = lines.length === 0 ? summary : [summary, '', 'Request:', ...lines].join('\n');
    if (preview.length <= MAX_PREVIEW_LENGTH) return preview;
  }
  throw new ToolError('invalid_arguments', 'fields: too many for the user to review. Send fewer fields in one call.');
}

/** Form text: the preview and the affected object. */
export function formatFormMessage(preview: string, details: JsonObject | undefined): string {
  if (!details) return preview;
  const json = toVisibleJson(details);
  const omitted = json.length - MAX_DETAILS_LENGTH;
  const clippedJson =
    omitted > 0 ? `${json.slice(0, MAX_DETAILS_LENGTH)}… (${omitted} more characters not shown)` : json;
  return `${preview}\n\nDetails (from the service): ${clippedJson}`;
}
