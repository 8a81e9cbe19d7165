import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { collectExtraFields, createFormField } from '../fields/form-fields.ts';
import { parseRecipients } from '../fields/parse-email.ts';
import { findCurrencyConflict, getCurrencyNames, parseDecimal } from '../fields/parse-number.ts';
import { InputError } from '../platform/client-core.ts';
import { proposal } from '../records/kinds.ts';
import type { FormInput } from './define-action.ts';
import { defineRecordAction } from './define-record-action.ts';

interface Item {
  item_name?: string;
  quantity?: unknown;
  unit_price?: unknown;
}

type Input = FormInput<'name', 'message', 'recipient_emails'> & { items?: Item[] };

export const createProposal = defineRecordAction<Input>('proposals.create', proposal, {
  description: 'Creates a draft proposal page with a pricing table. Use Send Proposal to send it.',
  inputFields: [
    createFormField('name', 'Proposal Name', { required: true, helpText: 'Title at the top of the page.' }),
    createFormField('recipient_emails', 'Recipient Emails', {
      list: true,
      helpText: 'Recipients, one per line, as ann@example.com or Ann Lee <ann@example.com>.',
    }),
    createFormField('message', 'Message', { type: 'text', helpText: 'A short introduction to the proposal.' }),
    {
      key: 'items',
      label: 'Price List',
      // Zapier allows no help text on a group.
      children: [
        createFormField('item_name', 'Item', { helpText: 'Name of the item in the pricing table.' }),
        createFormField('quantity', 'Quantity', { type: 'number', helpText: 'Quantity (default 1).' }),
        createFormField('unit_price', 'Unit Price', { type: 'number', helpText: 'Price per unit.' }),
      ],
    },
  ],
  toBodies: (input) => {
    const { name, recipient_emails, message, items } = input;
    const conflict = findCurrencyConflict(getPrices(input));
    if (conflict)
      throw new InputError(
        `The price list has prices in ${conflict[0]} and in ${conflict[1]}. Enter all prices in one currency in this step.`,
      );
    const recipients = parseRecipients(recipient_emails, 'Recipient Emails');
    return FORM_BODIES.proposal({ name, recipients, message, items: readItems(items) });
  },
  status: 'draft',
  toSentFields: ({ name }) => ({ name }),
  findMismatch: async (record, input, read) => {
    const prices = getPrices(input);
    if (prices.flatMap(getCurrencyNames).length === 0) return undefined;
    const currency = record['currency'] ?? (await read())?.['currency'];
    const conflict = findCurrencyConflict([String(currency).toUpperCase(), ...prices]);
    const fix = getChosenCurrencies(input).length > 0 ? 'correct' : 'set';
    return (
      conflict &&
      `The draft was created in ${String(currency)}, but this step has prices in ${conflict[1]}. Delete the draft in Docshare, ${fix} "currency" in Additional Fields, and replay this run.`
    );
  },
});

function getChosenCurrencies(input: Input): string[] {
  const chosen = Object.entries(collectExtraFields(input)).filter(([name]) => /currency/i.test(name));
  return chosen.map(([, value]) => String(value).toUpperCase());
}

function getPrices(input: Input): unknown[] {
  return [...getChosenCurrencies(input), ...(input.items ?? []).map(({ unit_price }) => unit_price)];
}

function readItems(items: readonly Item[] | undefined): object[] {
  return (items ?? [])
    .filter(({ item_name, unit_price }) => item_name !== undefined || unit_price !== undefined)
    .map(({ item_name, quantity, unit_price }) => {
      if (item_name === undefined)
        throw new InputError(
          `The row of the price list with the price ${String(unit_price)} has no name. Fill in its field "Item".`,
        );
      if (holdsSeveral(String(item_name), [quantity, unit_price]))
        throw new InputError(
          `"${String(item_name).slice(0, 60)}" is several items in one row of the price list. Map line items instead of text (Formatter can convert it), so that each item gets its own row.`,
        );
      const price = parseDecimal(unit_price, 'Unit Price');
      const count = parseDecimal(quantity, 'Quantity') ?? 1;
      if (count <= 0)
        throw new InputError(
          `"${String(quantity).slice(0, 40)}" is not above 0. Enter a number above 0 in the field "Quantity", for example 2 or 1.5.`,
        );
      return { name: String(item_name), quantity: count, ...(price === undefined ? {} : { unit_price: price }) };
    });
}

/** True for line items that a step has joined into texts: the name `Plan,Setup` and the price `10,20`, which is not 10.2. */
function holdsSeveral(name: string, numbers: readonly unknown[]): boolean {
  const commas = name.match(/,(?=[^\s\d])|(?<!\d),(?=\d)/g)?.length ?? 0;
  return commas > 0 && numbers.some((number) => new RegExp(`^\\d+(?:,\\d+){${commas}}$`).test(String(number).trim()));
}
