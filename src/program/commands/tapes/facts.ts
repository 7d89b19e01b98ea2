// `bot tape facts`: the stylised facts of tapes, side by side.
import { withTape } from '../../../embedded/tape/reader.ts';
import { type Realism, realismOf } from '../../../research/facts/distance.ts';
import { distributionsOf } from '../../../research/facts/distributions.ts';
import { type Observations, observe } from '../../../research/facts/observations.ts';
import { RECORDINGS } from '../../../research/facts/recordings.ts';
import { factsOf, SPANS, type StylisedFacts } from '../../../research/facts/stylised-facts.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { safeText, tableLines } from '../../output/table.ts';

export interface Measured {
  readonly file: string;
  readonly symbol: string;
  readonly facts: StylisedFacts;
  /** Distances of the tape from recordings. */
  readonly realism: Realism;
}

/** Reads all tapes completely. Throws a UserError if a tape cannot be read. */
export async function tapeFacts(files: readonly string[], { json }: { json?: true }, { stdout }: Host): Promise<ExitCode> {
  const measured: Measured[] = [];
  for (const file of files) measured.push(await measure(file));
  for (const line of json ? measured.map(jsonOf) : tableOf(measured)) say(stdout, json ? line : safeText(line));
  return 0;
}

const measure = (file: string): Promise<Measured> =>
  withTape(file, async (tape) => measuredFrom(file, tape.header.market.symbol, await observe(tape.blocks())));

export const measuredFrom = (file: string, symbol: string, observations: Observations): Measured => ({
  file,
  symbol,
  facts: factsOf(observations),
  realism: realismOf(distributionsOf(observations), RECORDINGS),
});

function jsonOf({ file, symbol, facts, realism }: Measured): string {
  const distances = Object.fromEntries(realism.distances.map(({ measure: name, units }) => [name, units]));
  const { median, largest } = realism;
  return JSON.stringify({ kind: 'facts', tape: file, market: symbol, ...facts, distances: { median, largest, of: distances } });
}

const ROWS: readonly (readonly [name: string, cell: (facts: StylisedFacts) => string])[] = [
  ['seconds with a book', ({ seconds }) => seconds.toLocaleString('en-US')],
  ['trades', ({ trades }) => trades.toLocaleString('en-US')],
  ['volatility a year, by minutes', ({ volatility }) => (volatility === undefined ? '-' : `${Math.round(volatility * 100)} %`)],
  ['deviation of returns, 1 / 10 / 60 s, bp', ({ returns }) => cells(SPANS.map((span) => returns[span]?.deviation))],
  ['kurtosis, 1 / 10 / 60 s', ({ returns }) => cells(SPANS.map((span) => returns[span]?.kurtosis))],
  ['autocorrelation of returns of 1 / 10 / 60 s', ({ returns }) => cells(SPANS.map((span) => returns[span]?.autocorrelation))],
  ['autocorrelation of absolute returns, lag 1 / 10 / 60 s', ({ clustering }) => cells(clustering)],
  ['spread, mean / 90 %, bp', ({ spread }) => cells(spread ?? [undefined])],
  ['depth, levels 1 / 2 / 3', ({ depth }) => cells(depth ?? [undefined])],
  ['trades a second', ({ tradesPerSecond }) => cells([tradesPerSecond])],
  ['trade sizes, 50 / 90 / 99 %, of the mean', ({ tradeSizes }) => cells(tradeSizes ?? [undefined])],
  ["autocorrelation of takers' sides, lag 1 / 10 / 60 trades", ({ signs }) => cells(signs)],
  ['changes of the book a trade', ({ changesPerTrade }) => cells([changesPerTrade])],
  ['impact after 1 / 10 / 60 s, bp', ({ impact }) => cells(impact)],
  ['mark over index, deviation, bp', ({ basis }) => cells([basis])],
  ['funding with mark over index, correlation', ({ fundingWithBasis }) => cells([fundingWithBasis])],
  ['moves by hour of the day, least / most, of the mean', ({ hoursOfDay }) => cells(hoursOfDay?.moves ?? [undefined])],
  ['trades by hour of the day, least / most, of the mean', ({ hoursOfDay }) => cells(hoursOfDay?.trades ?? [undefined])],
];

const cells = (values: readonly (number | undefined)[]): string =>
  values.map((value) => (value === undefined ? '-' : value.toLocaleString('en-US', { maximumSignificantDigits: 2 }))).join(' / ');

/** Returns a table with one column per tape. */
export function tableOf(measured: readonly Measured[]): readonly string[] {
  const rows = [
    ['', ...measured.map(({ symbol }) => symbol)],
    ...ROWS.map(([name, cell]) => [name, ...measured.map(({ facts }) => cell(facts))]),
    ...distanceRows(measured.map(({ realism }) => realism)),
  ];
  return tableLines(rows);
}

const HEADING = 'distance from real recordings; 1: as far as they are from each other';

function distanceRows(all: readonly Realism[]): readonly (readonly string[])[] {
  const names = all[0]?.distances.map(({ measure: name }) => name) ?? [];
  return [
    [HEADING, ...all.map(() => '')],
    ...names.map((name, index) => [`  ${name}`, ...all.map(({ distances }) => cells([distances[index]?.units]))]),
    ['  median of these', ...all.map(({ median }) => cells([median]))],
    ['  largest of these', ...all.map(({ largest }) => cells([largest]))],
  ];
}
