/**
 * What invented texts are made of. A field's own name says what a person would expect to read in it; nothing here says
 * what the service calls anything. Addresses and numbers are of the ranges that are kept free for examples.
 */

/** Numbers in [0, 1) that follow from a seed. */
export type Draw = () => number;

export function choose<Value>(draw: Draw, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(draw() * values.length)] ?? values[0];
}

/** `length` characters of an alphabet; the first is no zero, so that digits stay a number of that length. */
export function drawText(draw: Draw, length: number, alphabet: string): string {
  let text = '';
  while (text.length < length) {
    const character = alphabet[Math.floor(draw() * alphabet.length)] ?? 'a';
    if (text !== '' || character !== '0') text += character;
  }
  return text;
}

const FIRST = ['Ada', 'Ben', 'Chloe', 'David', 'Emma', 'Felix', 'Grace', 'Hugo', 'Ines', 'Jonas'] as const;
const LAST = ['Adler', 'Brook', 'Carter', 'Dumas', 'Evans', 'Fischer', 'Grant', 'Hayes', 'Ivers'] as const;
const THINGS = ['Series A deck', 'Price list', 'Supply terms', 'Data sheet', 'Team overview'] as const;
const COMPANIES = ['Northwind Paper', 'Blue Fjord', 'Cedar & Finch', 'Alder Works'] as const;
const SENTENCES = ['Please have a look.', 'As agreed on the phone.', 'The version of this week.'] as const;

const person = (draw: Draw) => `${choose(draw, FIRST)} ${choose(draw, LAST)}`;
export function inventAddress(draw: Draw): string {
  const name = person(draw).toLowerCase().replace(' ', '.');
  return `${name}.${drawText(draw, 3, '123456789')}@example.com`;
}
export function inventUrl(draw: Draw, names: readonly string[]): string {
  const place = names.filter((name) => !/^(?:url|uri|link|href)$/.test(name)).join('-');
  return `https://www.example.com/${place === '' ? '' : `${place}/`}${drawText(draw, 10, LETTERS)}`;
}
export const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** By the words of a field's name, in this order: what stands in it. */
const TEXTS: readonly (readonly [RegExp, (draw: Draw) => string])[] = [
  [/\be?mail\b/, inventAddress],
  [/\bfile ?name\b/, (draw) => `${choose(draw, THINGS).toLowerCase().replaceAll(' ', '-')}.pdf`],
  [/\b(?:mime|content|media|file) type\b/, () => 'application/pdf'],
  [/\b(?:first|given) name\b/, (draw) => choose(draw, FIRST)],
  [/\b(?:last|family) name\b|\bsurname\b/, (draw) => choose(draw, LAST)],
  [/\b(?:company|organi[sz]ation|account|workspace|tenant|employer)\b/, (draw) => choose(draw, COMPANIES)],
  [/\b(?:person|user|visitor|viewer|signer|recipient|contact|owner|author|full) name\b/, person],
  [/\b(?:viewer|visitor|signer|sender|owner|author|creator|created by|updated by)\b/, person],
  [/\b(?:phone|mobile|fax)\b/, (draw) => `+1 555 01${drawText(draw, 2, '123456789')}`],
  [/\bcity\b/, (draw) => choose(draw, ['Bergen', 'Lyon', 'Porto', 'Graz'])],
  [/\bcountry\b/, (draw) => choose(draw, ['NO', 'FR', 'PT', 'AT'])],
  [/\b(?:locale|language)\b/, () => 'en'],
  [/\btime ?zone\b/, () => 'Europe/Oslo'],
  [/\bcurrency\b/, () => 'EUR'],
  [/\bcolou?r\b/, (draw) => `#${drawText(draw, 6, '123456789abcdef')}`],
  [/\b(?:ip|ip address)\b/, (draw) => `192.0.2.${1 + Math.floor(draw() * 250)}`],
  [/\buser agent\b/, () => 'Mozilla/5.0'],
  [/\b(?:browser)\b/, () => 'Firefox'],
  [/\b(?:device|platform|os)\b/, () => 'desktop'],
  [/\bversion\b/, (draw) => String(1 + Math.floor(draw() * 4))],
  [/\b(?:amount|price|cost)\b/, (draw) => `${10 + Math.floor(draw() * 90)}.00`],
  [
    /\b(?:description|message|note|comment|text|body|summary|error|detail|reason)\b/,
    (d) => choose(d, SENTENCES),
  ],
  [/\b(?:name|title|subject|label|display)\b/, (draw) => choose(draw, THINGS)],
  [
    /\b(?:secret|token|key|password|signature|hash|etag|checksum)\b/,
    (draw) => `invented-${drawText(draw, 16, LETTERS)}`,
  ],
  [/\b(?:id|number|slug|code|cursor)\b/, (draw) => drawText(draw, 12, LETTERS)],
];

/** A text for a field of this name: `first_name`, `firstName`. */
export function inventText(draw: Draw, names: readonly string[]): string {
  const said = names.join(' ');
  const known = TEXTS.find(([name]) => name.test(said));
  return known ? known[1](draw) : choose(draw, ['alpha', 'bravo', 'delta', 'gamma', 'sigma']);
}

/** The words of a field's name in lower case. */
export function splitName(name: string): string[] {
  const spaced = name.slice(0, 100).replace(/([a-z\d])([A-Z])/g, '$1 $2');
  return spaced
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}
