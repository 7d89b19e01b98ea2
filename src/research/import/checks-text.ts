// Formats what an import found and checked as lines of text.
import { basename } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { spanText } from '../../base/text/duration.ts';
import type { MarketKind } from '../../bot/domain/market.ts';
import { type RowKind, type Stamp, stampText } from '../../embedded/rows/rows.ts';
import type { TapeHeader } from '../../embedded/tape/header.ts';
import type { TapeFacts } from '../../embedded/tape/writer.ts';
import type { RegularityChecks } from './checks/regularity.ts';
import { type FileLayout, lengthText } from './checks/survey.ts';
import { type Packing, tableNameOf } from './formats/input.ts';
import type { ImportChecks } from './rows/transcribe.ts';
import type { Exclusion } from './rows/transcriber.ts';

interface Imported {
  readonly facts: TapeFacts;
  readonly header: TapeHeader;
  readonly checks: ImportChecks;
}

/** Returns a line for each check; checks without data are omitted. */
export function checksText({ facts, header, checks }: Imported): readonly string[] {
  const { market } = header;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ...checks.layouts.map((layout) => ['file', layoutText(layout)] as const),
    ...checks.layouts.flatMap(({ file, remarks }) => remarks.map((remark) => ['note', `${basename(file)}: ${remark}`] as const)),
    ['time', `${readableTime(facts.first)} to ${readableTime(facts.last)} UTC, ${spanText((facts.last - facts.first) / 1_000, 'd')}`],
    ['rows', `${numberText(facts.rows)}: ${rowsText(checks.rows)}`],
    ['decimals', decimalsText(header, checks)],
    ['kind', `${KINDS[market.kind]}: ${checks.kindBecause}`],
    ['margins', market.kind === 'spot' ? undefined : `imf ${market.imf}, cmf ${market.cmf}, mmf ${market.mmf}`],
    ['book', bookText(header, checks)],
    ['gaps', gapsText(checks)],
    ['best', bestText(checks)],
    ['candles', candlesText(checks)],
    ['funding', fundingText(header, checks)],
    ['clock', skewText(checks)],
    ['order', orderText(checks)],
    ...checks.excluded.map((one) => ['left out', exclusionText(one)] as const),
    ['not read', notReadText(checks)],
    ['tape', `${numberText(facts.bytes)} bytes, ${facts.hash}`],
  ];
  const known = lines.flatMap(([name, text]) => (text === undefined ? [] : [`  ${name.padEnd(10)}${text}`]));
  return [`${market.symbol}: ${header.source}, ${counted(checks.lines, 'line')}`, ...known];
}

const numberText = (value: number): string => value.toLocaleString('en-US');
const counted = (count: number, noun: string): string => `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
/** `2023-04-05 00:00:00.000`. */
const readableTime = (time: Stamp): string => stampText(time).replace('T', ' ').replace('Z', '');
const hourText = (time: Stamp): string => readableTime(time).slice(0, 16);
const millisText = (span: Stamp): string => `${numberText(Math.round(span / 100) / 10)} ms`;

const usedText = (used: number, found: number): string => (used === found ? `${used}` : `${used} (the data has ${found})`);

const KINDS: Readonly<Record<MarketKind, string>> = { perp: 'perpetual', spot: 'spot market' };

const rowsText = (rows: ImportChecks['rows']): string =>
  (Object.keys(rows) as RowKind[]).map((kind) => `${numberText(rows[kind] ?? 0)} ${kind}`).join(', ');

function decimalsText({ market: { priceDecimals, sizeDecimals }, books, basePrice }: TapeHeader, checks: ImportChecks): string {
  const { inferred, roundedSizes, roundedPrices } = checks;
  const parts = [`price ${usedText(priceDecimals, inferred.price)}, size ${usedText(sizeDecimals, inferred.size)}`];
  if (books === 'candles' && sizeDecimals > inferred.size) {
    const lot = 10 ** -sizeDecimals;
    parts.push(
      `the smallest order is ${lot.toFixed(sizeDecimals)}, worth about ${Number((basePrice * lot).toPrecision(2))}; --size-decimals sets it`,
    );
  }
  if (roundedPrices.count > 0) {
    const [prices, tick] = [counted(roundedPrices.count, 'price'), 10 ** -priceDecimals];
    parts.push(`${prices} rounded to the tick, ${tick}, by at most ${roundedPrices.most.toPrecision(2)}`);
  }
  if (roundedSizes > 0) {
    const how = books === 'candles' ? 'rounded to the nearest step' : 'rounded toward zero, to at least one step';
    parts.push(`${counted(roundedSizes, 'size')} ${how}`);
  }
  return parts.join('; ');
}

const PACKINGS: Readonly<Partial<Record<Packing, string>>> = { utf16: ', UTF-16', gzip: ', gzip', zstd: ', Zstandard' };

function layoutText({ file, packing, layout, columns, unused, units }: FileLayout): string {
  const read = Object.entries(columns).map(([role, name]) => (name.toLowerCase() === role ? role : `${role} from "${name}"`));
  const times = Object.entries(units).map(([unit, count]) => (Object.keys(units).length === 1 ? unit : `${unit} (${numberText(count)})`));
  return [
    `${basename(file)}: ${tableNameOf(packing) ?? layout}${PACKINGS[packing] ?? ''}`,
    `times in ${times.join(', ')}`,
    `columns ${read.join(', ')}`,
    ...(unused.length === 0 ? [] : [`not read: ${unused.map((name) => (name === '' ? '""' : name)).join(', ')}`]),
  ].join('; ');
}

function candlesText({ candles, candleMs }: ImportChecks): string | undefined {
  const text = regularityText('candle', candles);
  return text === undefined || candleMs === undefined ? text : `${text}; one is ${lengthText(candleMs * 1_000)}`;
}

function bookText({ books, pollMs }: TapeHeader, { book, best }: ImportChecks): string | undefined {
  if (books === 'candles') return undefined;
  if (book.applied + book.unused + best.compared === 0) return 'none; without a book no resting order is filled';
  const crossed =
    book.firstCrossed === undefined
      ? 'never crossed'
      : `crossed ${counted(book.crossed, 'time')}, first at ${readableTime(book.firstCrossed)}`;
  const parts = [
    `${counted(book.applied, books === 'polled' ? 'poll' : 'update')}${pollMs === undefined ? '' : `, usually ${pollMs} ms apart`}`,
    counted(book.snapshots, 'snapshot'),
    ...(book.stale > 0 ? [`${counted(book.stale, 'update')} already in a snapshot`] : []),
    ...(book.unused > 0 ? [`${counted(book.unused, 'update')} without a snapshot to begin from`] : []),
    ...(book.unusedSnapshots > 0 ? [`${counted(book.unusedSnapshots, 'snapshot')} not needed or too old`] : []),
    crossed,
  ];
  return parts.join('; ');
}

function gapsText({ book: { applied, numbered, gaps, gapsAt } }: ImportChecks): string | undefined {
  if (applied === 0) return undefined;
  if (gaps === 0) return numbered ? '0 sequence gaps' : 'none found; the updates are not numbered';
  const places = gapsAt.map(({ from, lost }) =>
    lost === undefined
      ? `silence from ${readableTime(from)}`
      : `${readableTime(from)} to ${readableTime(lost.seen)}, where the next update continues from ${lost.needed} and the book is at ${lost.reached}: updates between them are missing`,
  );
  return `${counted(gaps, 'sequence gap')}: ${places.join('; ')}${gaps > places.length ? '; …' : ''}`;
}

/** The share is rounded down, so 100 % means all of them. */
function bestText({ best: { compared, equal, share } }: ImportChecks): string | undefined {
  if (share === undefined) return undefined;
  const percent = Math.floor(share * 1e5) / 1e3;
  return `rebuilt best bid/ask equal to the recording's own in ${numberText(equal)} of ${counted(compared, 'update')}, ${percent} %`;
}

function regularityText(noun: string, { count, first, last, missing, missingAt }: RegularityChecks): string | undefined {
  if (first === undefined || last === undefined) return undefined;
  if (count === 1) return `1 ${noun}, ${hourText(first)}`;
  const places = `${missingAt.map(hourText).join(', ')}${missing > missingAt.length ? ', …' : ''}`;
  const absent = missing === 0 ? 'none missing' : `${numberText(missing)} missing: ${places}`;
  return `${counted(count, noun)}, ${hourText(first)} to ${hourText(last)}, ${absent}`;
}

function fundingText({ fundingIntervalMs }: TapeHeader, { announced, settled }: ImportChecks): string | undefined {
  const announcedFor = announced.length === 0 ? [] : [`announced for ${listText(announced.map(hourText))}`];
  const parts = [...announcedFor, regularityText('settlement', settled) ?? []].flat();
  if (parts.length === 0) return undefined;
  const every = fundingIntervalMs === undefined ? 'interval unknown: give --funding-interval' : `every ${hoursText(fundingIntervalMs)}`;
  return [every, ...parts].join('; ');
}

const hoursText = (span: Millis): string => `${Number((span / 3_600_000).toFixed(3))} h`;

function listText(texts: readonly string[]): string {
  const [first, last] = [texts[0], texts.at(-1)];
  return texts.length <= 4 ? texts.join(', ') : `${first} … ${last} (${numberText(texts.length)})`;
}

function skewText({ skew }: ImportChecks): string | undefined {
  if (skew === undefined) return undefined;
  const { least, median } = skew;
  const text = `time of receipt minus exchange time: median ${millisText(median)}, least ${millisText(least)}`;
  return least < 0 ? `${text}; the recorder's clock ran behind the exchange's` : text;
}

function orderText({ mended, late }: ImportChecks): string | undefined {
  const parts = [
    ...(mended > 0 ? [`${counted(mended, 'message')} sorted by exchange time`] : []),
    ...(late > 0 ? [`${numberText(late)} too late to sort, written at the next possible time`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function exclusionText({ what, reason, count, first, example }: Exclusion): string {
  return `${counted(count, what)}: ${reason}, first at ${readableTime(first)}${example === undefined ? '' : ` (${example})`}`;
}

function notReadText({ notRead }: ImportChecks): string | undefined {
  const parts = Object.entries(notRead).map(([what, count]) => `${numberText(count)} ${what}`);
  return parts.length === 0 ? undefined : parts.join(', ');
}
