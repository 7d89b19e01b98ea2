// Checks that a value is a strategy, for files that were not type-checked.

/** Describes what is missing or wrong; undefined if the value is a strategy. */
export function shapeFault(candidate: unknown): string | undefined {
  if (!isRecord(candidate) || Object.keys(candidate).length === 0) return 'no strategy is exported as default';
  const { name, defaults, ranges = {}, create } = candidate;
  if (typeof name !== 'string' || name === '') return 'the strategy has no name';
  if (typeof create !== 'function') return `the strategy ${name} has no create function`;
  const unusable = scheduleFault(candidate);
  if (unusable !== undefined) return `the strategy ${name}: ${unusable}`;
  if (!isRecord(defaults)) return `the strategy ${name} has no defaults; without parameters write defaults: {}`;
  if (!isRecord(ranges)) return `the ranges of the strategy ${name} are not an object`;
  return valueFault(defaults) ?? rangeFault(ranges, defaults);
}

function scheduleFault({ history, every }: Readonly<Record<string, unknown>>): string | undefined {
  if (history !== undefined && typeof history !== 'function' && !(isRecord(history) && isRecord(history['candles'])))
    return "its history is not of the form { candles: { '1h': 200 } }";
  if (every !== undefined && typeof every !== 'function' && typeof every !== 'string') return "every is not a resolution, such as '1h'";
  return undefined;
}

function valueFault(defaults: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(defaults)) {
    if (!isUsable(value) && !isUsableList(value))
      return `the default of ${key} is ${shown(value)}; a finite number, a text, true or false, or a list of numbers or of texts is expected`;
  }
  return undefined;
}

const isUsable = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' || typeof value === 'boolean';

const isUsableList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one: unknown) => isUsable(one) && typeof one !== 'boolean' && typeof one === typeof value[0]);

const shown = (value: unknown): string => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value));

function rangeFault(ranges: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, range] of Object.entries(ranges)) {
    if (!Object.hasOwn(defaults, key)) return `there is a range for ${key}, which has no default`;
    const fits =
      Array.isArray(range) &&
      [defaults[key]].flat().every((value) => (typeof value === 'number' ? isSpan(range, value) : range.includes(value)));
    if (!fits) return `the default of ${key} is not within its range`;
  }
  return undefined;
}

const isSpan = ([least, most]: readonly unknown[], value: number): boolean =>
  typeof least === 'number' && typeof most === 'number' && least <= value && value <= most;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
