/** Words that occur in no API, in all the forms in which people write. */

export interface Canaries {
  /** Returns a text that contains no other canary, in the next form. */
  text(): string;
  /** The same, written like the name of a field. */
  field(): string;
  /** The same, as it may appear in a header name or a media type. */
  token(): string;
  /** Finds parts of canaries in a text, in any case. Each canary has at least one. */
  foundIn(text: string): string[];
  readonly count: number;
}

const WORDS =
  `walrus lobster umbrella krankheit mueller zebra gorilla bluefin phoenix tornado cactus marmalade hedgehog volcano
  pumpkin saxophone divorce lawsuit salary cancer pregnant bankrupt merger layoff sunflower dolphin giraffe mango papaya
  lantern compass anchorage bavaria geheim verlobung kollege chapel cinnamon dynamite elephant falcon glacier hurricane iguana
  jupiter kangaroo leopard mosquito narwhal octopus penguin quartz rhubarb scorpion trombone unicorn vampire wombat xylophone`
    .trim()
    .split(/\s+/);
/** Part of each canary that looks like a token, and of each number. */
const MARK = 'qzj';
const DIGITS = '73915';
const SCRIPTS = ['клиентморж', '会社合併予定', 'عميلسري', 'λαμπτήρας', 'ลูกค้าลับ', '비밀고객'];

export function drawCanaries(seed: number): Canaries {
  let state = seed >>> 0;
  const draw = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * most);
  };
  const drawn = new Set<string>();
  const word = () => WORDS[draw(WORDS.length)] ?? '';
  const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
  const keep = (text: string): string => {
    drawn.add(text);
    return text;
  };
  const letters = (length: number) =>
    Array.from({ length }, () => 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'[draw(54)]).join('');
  const fields: readonly ((a: string, b: string) => string)[] = [
    (a, b) => `${a}_${b}`,
    (a, b) => `${a}${capital(b)}`,
    (a) => a,
    (a, b) => `${capital(a)}${capital(b)}`,
    (a, b) => `${a}-${b}`,
    (a, b) => `${a}_von_${b}`,
    (a) => `${a}_price`,
    (a) => `is_${a}`,
    (a) => `${a}2`,
    (a, b) => `${a.toUpperCase()}_${b.toUpperCase()}`,
    () => `${MARK}${letters(14)}`,
    (a, b) => `_${a}.${b}`,
  ];
  const texts: readonly ((a: string, b: string) => string)[] = [
    ...fields,
    (a, b) => `${capital(a)} ${capital(b)} Code`,
    (a, b) => `${a}.${b}@${a}mail.example`,
    (a, b) => `${SCRIPTS[draw(SCRIPTS.length)]}${a}${b}`,
    (a, b) => `${a}${draw(90) + 10}${b}`,
    () => `sk_live_${MARK}${letters(24)}`,
    () => `eyJ${MARK}${letters(20)}.${MARK}${letters(20)}`,
    (a, b) => `${a} ${b} `.repeat(14).slice(0, 200),
    (a) => `${a}: "quoted" <b>${a}</b> | \`code\``,
    () => `${DIGITS}${draw(9e5) + 1e5}`,
  ];
  let turn = 0;
  const next = (forms: typeof fields) => {
    turn += 1;
    const form = forms[turn % forms.length] as (a: string, b: string) => string;
    return keep(form(word(), word()));
  };
  return {
    text: () => next(texts),
    field: () => next(fields),
    token: () => keep(`${word()}-${word()}${draw(9)}`),
    foundIn(text) {
      const small = text.toLowerCase();
      return [...WORDS, ...SCRIPTS, MARK, DIGITS].filter((part) => small.includes(part));
    },
    get count() {
      return drawn.size;
    },
  };
}
