import type { JsonObject } from '../../src/records/fields.ts';
import { formatArguments } from '../result/quote.ts';
import { fitToBudget } from '../result/token-budget.ts';
import { toHeadlineRows } from '../tool/headline.ts';
import type { ActionDescription } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';

/** Hosts show this many characters in full. */
const MAX_FORM_LENGTH = 12_000;

/** A model needs less of the object than the user who decides. */
const MAX_RESULT_TOKENS = 3000;

/** Tried in order if the whole preview does not fit: a part of each field. */
const DETAIL_LEVELS = [
  { lines: 200, characters: 2000 },
  { lines: 40, characters: 200 },
  { lines: 8, characters: 80 },
  { lines: 2, characters: 40 },
];

/** Parts of a result that show the action to a model. What the service returned is data, so it is a separate field. */
export function getPreviewFields({ about, ...description }: ActionDescription, args: JsonObject): JsonObject {
  return {
    preview: formatPreview(description, args),
    ...(about ? { about: fitToBudget(about, MAX_RESULT_TOKENS).data } : {}),
  };
}

/**
 * Question that a user decides on. Its first three rows, of at most 80 columns, name the object, the people and the
 * change, because some hosts show no more. All values of the request and of the affected object follow, one per line and
 * quoted, so that none can pass for text of this server.
 * @throws ToolError for too many fields to review.
 */
export function formatPreview(
  { headline, notice, about, request: shown }: ActionDescription,
  args: JsonObject,
  maxLength = MAX_FORM_LENGTH,
): string {
  for (const detail of [{ lines: maxLength, characters: maxLength }, ...DETAIL_LEVELS]) {
    const request = formatArguments(shown ?? args, detail).map((line) => line.replace(/^fields\./, ''));
    const current = about ? formatArguments(about, detail) : [];
    const preview = [
      ...toHeadlineRows(headline),
      ...(notice === undefined ? [] : [notice]),
      ...(request.length > 0 ? ['Request:', ...request.map((line) => `- ${line}`)] : []),
      ...(current.length > 0 ? ['From the service:', ...current.map((line) => `- ${line}`)] : []),
    ].join('\n');
    if (preview.length <= maxLength) return preview;
  }
  throw new ToolError('invalid_arguments', 'fields: too many for the user to review. Send fewer fields in one call.');
}
