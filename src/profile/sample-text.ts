/** Texts for samples, by field name; addresses and numbers are from ranges reserved for examples. */

/** Seeded numbers in [0, 1). */
export type RandomSource = () => number;

export function pickOne<Value>(random: RandomSource, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** Returns `length` random characters of an alphabet; never starts with a zero, so digits stay a number of that length. */
export function generateCharacters(random: RandomSource, length: number, alphabet: string): string {
  let text = '';
  while (text.length < length) {
    const character = alphabet[Math.floor(random() * alphabet.length)] ?? 'a';
    if (text !== '' || character !== '0') text += character;
  }
  return text;
}

const toNames = (text: string) => text.split(' ') as [string, ...string[]];
const FIRST_NAMES = toNames('Ada Ben Chloe David Emma Felix Grace Hugo Ines Jonas');
const LAST_NAMES = toNames('Adler Brook Carter Dumas Evans Fischer Grant Hayes Ivers');
const TITLES = ['Series A deck', 'Price list', 'Supply terms', 'Data sheet', 'Team overview'] as const;
const COMPANIES = ['Northwind Paper', 'Blue Fjord', 'Cedar & Finch', 'Alder Works'] as const;
const SENTENCES = ['Please have a look.', 'As agreed on the phone.', 'The version of this week.'] as const;

const fullName = (random: RandomSource) => `${pickOne(random, FIRST_NAMES)} ${pickOne(random, LAST_NAMES)}`;
export function generateEmail(random: RandomSource): string {
  const name = fullName(random).toLowerCase().replace(' ', '.');
  return `${name}.${generateCharacters(random, 3, '123456789')}@example.com`;
}
export function generateUrl(random: RandomSource, names: readonly string[]): string {
  const pathSegment = names.filter((name) => !/^(?:url|uri|link|href)$/.test(name)).join('-');
  return `https://www.example.com/${pathSegment === '' ? '' : `${pathSegment}/`}${generateCharacters(random, 10, ID_ALPHABET)}`;
}
export const ID_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Generators by the words of a field's name; the first match wins. */
const TEXT_GENERATORS: readonly (readonly [RegExp, (random: RandomSource) => string])[] = [
  [/\be?mail\b/, generateEmail],
  [/\bfile ?name\b/, (random) => `${pickOne(random, TITLES).toLowerCase().replaceAll(' ', '-')}.pdf`],
  [/\b(?:mime|content|media|file) type\b/, () => 'application/pdf'],
  [/\b(?:first|given) name\b/, (random) => pickOne(random, FIRST_NAMES)],
  [/\b(?:last|family) name\b|\bsurname\b/, (random) => pickOne(random, LAST_NAMES)],
  [/\b(?:company|organi[sz]ation|account|workspace|tenant|employer)\b/, (random) => pickOne(random, COMPANIES)],
  [/\b(?:person|user|visitor|viewer|signer|recipient|contact|owner|author|full) name\b/, fullName],
  [/\b(?:viewer|visitor|signer|sender|owner|author|creator|created by|updated by)\b/, fullName],
  [/\b(?:phone|mobile|fax)\b/, (random) => `+1 555 01${generateCharacters(random, 2, '123456789')}`],
  [/\bcity\b/, (random) => pickOne(random, ['Bergen', 'Lyon', 'Porto', 'Graz'])],
  [/\bcountry\b/, (random) => pickOne(random, ['NO', 'FR', 'PT', 'AT'])],
  [/\b(?:locale|language)\b/, () => 'en'],
  [/\btime ?zone\b/, () => 'Europe/Oslo'],
  [/\bcurrency\b/, () => 'EUR'],
  [/\bcolou?r\b/, (random) => `#${generateCharacters(random, 6, '123456789abcdef')}`],
  [/\b(?:ip|ip address)\b/, (random) => `192.0.2.${1 + Math.floor(random() * 250)}`],
  [/\buser agent\b/, () => 'Mozilla/5.0'],
  [/\b(?:browser)\b/, () => 'Firefox'],
  [/\b(?:device|platform|os)\b/, () => 'desktop'],
  [/\bversion\b/, (random) => String(1 + Math.floor(random() * 4))],
  [/\b(?:amount|price|cost)\b/, (random) => `${10 + Math.floor(random() * 90)}.00`],
  [
    /\b(?:description|message|note|comment|text|body|summary|error|detail|reason)\b/,
    (random) => pickOne(random, SENTENCES),
  ],
  [/\b(?:name|title|subject|label|display)\b/, (random) => pickOne(random, TITLES)],
  [
    /\b(?:secret|token|key|password|signature|hash|etag|checksum)\b/,
    (random) => `invented-${generateCharacters(random, 16, ID_ALPHABET)}`,
  ],
  [/\b(?:id|number|slug|code|cursor)\b/, (random) => generateCharacters(random, 12, ID_ALPHABET)],
];

/** Generates a text for a field's name, such as `first_name` or `firstName`. */
export function generateText(random: RandomSource, names: readonly string[]): string {
  const joinedName = names.join(' ');
  const generator = TEXT_GENERATORS.find(([name]) => name.test(joinedName));
  return generator ? generator[1](random) : pickOne(random, ['alpha', 'bravo', 'delta', 'gamma', 'sigma']);
}

/** Splits a field's name into lower-case words. */
export function splitName(name: string): string[] {
  const spaced = name.slice(0, 100).replace(/([a-z\d])([A-Z])/g, '$1 $2');
  return spaced
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}
