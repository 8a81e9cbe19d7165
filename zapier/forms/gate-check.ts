import { GATE_CONTAINERS, GATES, OFF_VALUE, ON_VALUE } from '../../src/assumptions/index.ts';
import { getValueAtPath, isObject, type JsonObject, toIsoTime } from '../platform/core.ts';
import { getGateFieldNames, type Wish } from './gates.ts';

/** A service may keep minutes, or days alone. */
const TIME_TOLERANCE_MS = 60_000;
const DAY_TOLERANCE_MS = 38 * 60 * 60_000;

/** What a link does not show as it was asked for: such a gate is open. */
export function unmet(wishes: readonly Wish[], link: JsonObject): Wish[] {
  return wishes.filter((wish) => !isMet(wish, link));
}

/** What a link shows of some gates, in a few words. */
export function describeGates(wishes: readonly Wish[], link: JsonObject): string {
  return wishes.map((wish) => `${wish.label}: ${describe(wish, getShownValues(wish, link))}`).join(', ');
}

function isMet(wish: Wish, link: JsonObject): boolean {
  const { gate, value } = wish;
  const shown = getShownValues(wish, link);
  // A gate that is taken away, or was never one, leaves nobody in whom it should stop: only a contradiction counts.
  const isOpen = value === null || value === '' || gate === undefined || gate === 'email';
  if (shown.length === 0) return isOpen || (gate !== 'download' && value === false);
  return shown.some((one) => isSame(wish, one));
}

function getShownValues({ gate, name }: Wish, link: JsonObject): unknown[] {
  const extra = gate === 'password' ? GATES.password.readNames : [];
  const names = gate === undefined ? [name] : [name, ...getGateFieldNames(gate), ...extra];
  const places = [link, ...GATE_CONTAINERS.map((holder) => getValueAtPath(link, holder))].filter(isObject);
  return places
    .flatMap((place) => names.map((one) => getValueAtPath(place, one)))
    .filter((one) => one !== undefined);
}

function isSame({ gate, value }: Wish, shown: unknown): boolean {
  if (shown === value && value !== null) return true;
  if (gate === 'password') return isKept(shown) === ![null, '', false].includes(value as string);
  if (value === null || value === '') return shown === null || shown === '' || shown === false || shown === 0;
  if (gate === 'expiry') return isSameTime(value, shown);
  if (gate === 'visitors') return shown !== null && Number(shown) === Number(value);
  if (typeof value !== 'boolean') return shown === value || String(shown) === String(value);
  const flag = toBoolean(shown);
  // No word about downloads is no promise that there are none.
  return flag === undefined ? gate === 'nda' && value === false && shown === null : flag === value;
}

/** A password is shown as set, as stars or as itself; never as nothing. */
function isKept(shown: unknown): boolean {
  return shown !== null && shown !== '' && toBoolean(shown) !== false;
}

function isSameTime(wanted: unknown, shown: unknown): boolean {
  // "never", or another word of the service's own.
  if (Number.isNaN(toMs(wanted))) return shown === null || String(shown) === String(wanted);
  const apart = Math.abs(toMs(shown) - toMs(wanted));
  return apart < (isDay(shown) || isDay(wanted) ? DAY_TOLERANCE_MS : TIME_TOLERANCE_MS);
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\s*\d{4}-\d\d-\d\d\s*$/.test(value);
}

function toMs(value: unknown): number {
  const time = typeof value === 'string' || typeof value === 'number' ? toIsoTime(value) : undefined;
  return time === undefined ? Number.NaN : Date.parse(time);
}

function toBoolean(shown: unknown): boolean | undefined {
  if (typeof shown === 'boolean') return shown;
  // What a link holds about a gate is one.
  if (isObject(shown)) return true;
  const word = String(shown).trim();
  return ON_VALUE.test(word) ? true : OFF_VALUE.test(word) ? false : undefined;
}

function describe({ gate }: Wish, shown: readonly unknown[]): string {
  const value = shown.find((one) => one !== null) ?? shown[0];
  if (value === undefined) return 'not shown';
  if (gate === 'password') return isKept(value) ? 'set' : 'none';
  if (value === null || value === '') return 'none';
  const flag = toBoolean(value);
  if (typeof value === 'boolean') return flag ? 'yes' : 'no';
  return (isObject(value) ? 'set' : String(value)).slice(0, 30);
}
