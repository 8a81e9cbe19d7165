import {
  GATE_CONTAINERS,
  GATE_STATE_PATTERN,
  GATES,
  OFF_VALUE_PATTERN,
  ON_VALUE_PATTERN,
} from '../../src/assumptions/index.ts';
import { getValueAtPath, isObject, type JsonObject, normalizeName, toIsoTime } from '../platform/client-core.ts';
import { normalizeText } from '../records/normalize-text.ts';
import { getGateFieldNames, isLimit, type RequestedSetting } from './gates.ts';

/** A service may store only the minute, or only the day. */
const TIME_TOLERANCE_MS = 60_000;
const DAY_TOLERANCE_MS = 38 * 60 * 60_000;

/** Settings that the link does not show as requested. */
export function findUnmetSettings(settings: readonly RequestedSetting[], link: JsonObject): RequestedSetting[] {
  return settings.filter((setting) => !isApplied(setting, link));
}

/** Current values of some settings, for a message. */
export function describeSettings(settings: readonly RequestedSetting[], link: JsonObject): string {
  return settings
    .map((setting) => `${setting.label}: ${describeValue(setting, getShownValues(setting, link))}`)
    .join(', ');
}

function isApplied(setting: RequestedSetting, link: JsonObject): boolean {
  const { gate, value } = setting;
  if (gate === undefined && isLimit(setting.name, value)) return showsLimit(setting, link);
  const shown = getShownValues(setting, link);
  // Removed gates and other settings may be missing from the link: only a contradiction counts.
  const mayBeMissing = value === null || value === '' || gate === undefined || gate === 'email';
  if (shown.length === 0) return mayBeMissing || (gate !== 'download' && value === false);
  return shown.some((entry) => isSameValue(setting, entry));
}

/** The link may show a limit under another name, a text as a list, and a number of days as a date. */
function showsLimit({ name, value }: RequestedSetting, link: JsonObject): boolean {
  const shown = getLeaves(link);
  if (/expir/i.test(name)) return shown.some(([key, entry]) => /expir/i.test(key) && Boolean(entry));
  return getLeaves(value).every(([, entry]) =>
    typeof entry === 'number'
      ? shown.some(([key, other]) => Number(other) === entry && /max|limit/i.test(key))
      : String(entry)
          .toLowerCase()
          .split(/[,;\s]+/)
          .every((part) => shown.some(([, other]) => String(other).toLowerCase().includes(part))),
  );
}

/** Texts, numbers and other simple values at any depth, each with the name of its field. */
function getLeaves(value: unknown, name = ''): (readonly [name: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, entry]) => getLeaves(entry, Array.isArray(value) ? name : key));
}

/** A service may return an unknown field unchanged, so the gate's other names win if they contradict the setting. */
function getShownValues(setting: RequestedSetting, link: JsonObject): unknown[] {
  const { [setting.name]: _, ...otherFields } = link;
  const otherValues = readValues(setting, otherFields);
  const isConfirmed = otherValues.some((entry) => isSameValue(setting, entry));
  const isEchoed = !isConfirmed && otherValues.some((entry) => isContradiction(setting, entry));
  return isEchoed ? otherValues : readValues(setting, link);
}

function isContradiction({ gate }: RequestedSetting, shown: unknown): boolean {
  if (gate === 'expiry' || gate === 'visitors') return shown === null;
  return gate !== undefined && (isObject(shown) ? !toBoolean(shown) : toBoolean(shown) !== undefined);
}

function readValues({ gate, name }: RequestedSetting, link: JsonObject): unknown[] {
  const extra = gate === 'password' ? GATES.password.readNames : [];
  const names = gate === undefined ? [name] : [name, ...getGateFieldNames(gate), ...extra];
  const candidates = [link, ...GATE_CONTAINERS.map((path) => getValueAtPath(link, path))].filter(isObject);
  return candidates
    .flatMap((candidate) => names.map((entry) => getValueAtPath(candidate, entry)))
    .filter((entry) => entry !== undefined);
}

function isSameValue({ gate, value }: RequestedSetting, shown: unknown): boolean {
  if (shown === value && value !== null) return true;
  if (gate === 'password') return isPasswordSet(shown) === ![null, '', false].includes(value as string);
  if (value === null || value === '') return shown === null || shown === '' || shown === false || shown === 0;
  if (gate === 'expiry') return isSameTime(value, shown);
  if (gate === 'visitors') return shown !== null && Number(shown) === Number(value);
  if (gate === undefined && typeof value === 'string') return isSameState(value, shown);
  if (typeof value !== 'boolean') return shown === value || String(shown) === String(value);
  const booleanValue = toBoolean(shown);
  // A missing value about downloads does not mean that they are blocked.
  return booleanValue === undefined ? gate === 'nda' && value === false && shown === null : booleanValue === value;
}

/** A link that was disabled may show that it is inactive. */
function isSameState(expected: string, shown: unknown): boolean {
  const [expectedOn, shownOn] = [toBoolean(expected), toBoolean(shown)];
  if (expectedOn === undefined || shownOn === undefined) return normalizeText(shown) === normalizeText(expected);
  return shownOn === expectedOn;
}

/** A service shows a set password as true, as asterisks or as itself. */
function isPasswordSet(shown: unknown): boolean {
  return shown !== null && shown !== '' && toBoolean(shown) !== false;
}

function isSameTime(expected: unknown, shown: unknown): boolean {
  // "never" or another word of the service.
  if (Number.isNaN(toMs(expected))) return shown === null || String(shown) === String(expected);
  const differenceMs = Math.abs(toMs(shown) - toMs(expected));
  return differenceMs < (isDateOnly(shown) || isDateOnly(expected) ? DAY_TOLERANCE_MS : TIME_TOLERANCE_MS);
}

function isDateOnly(value: unknown): boolean {
  return typeof value === 'string' && /^\s*\d{4}-\d\d-\d\d\s*$/.test(value);
}

function toMs(value: unknown): number {
  const time = typeof value === 'string' || typeof value === 'number' ? toIsoTime(value) : undefined;
  return time === undefined ? Number.NaN : Date.parse(time);
}

function toBoolean(shown: unknown): boolean | undefined {
  if (typeof shown === 'boolean') return shown;
  // An object describes an active gate, unless it says that the gate is off.
  if (isObject(shown)) {
    const isOff = ([name, entry]: [string, unknown]) =>
      GATE_STATE_PATTERN.test(normalizeName(name)) && toBoolean(entry) === false;
    return !Object.entries(shown).some(isOff);
  }
  const text = String(shown).trim();
  return ON_VALUE_PATTERN.test(text) ? true : OFF_VALUE_PATTERN.test(text) ? false : undefined;
}

function describeValue({ gate }: RequestedSetting, shown: readonly unknown[]): string {
  const value = shown.find((entry) => entry !== null) ?? shown[0];
  if (value === undefined) return 'not shown';
  if (gate === 'password') return isPasswordSet(value) ? 'set' : 'none';
  if (value === null || value === '') return 'none';
  const booleanValue = toBoolean(value);
  if (typeof value === 'boolean') return booleanValue ? 'yes' : 'no';
  return (isObject(value) ? (booleanValue ? 'set' : 'none') : String(value)).slice(0, 30);
}
