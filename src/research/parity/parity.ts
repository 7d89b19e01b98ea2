// Compares a run with a backtest on the data that it received: each difference with its reason and its effect on profit.
import type { Millis } from '../../base/clock.ts';
import type { Account } from '../../bot/domain/account.ts';
import { type FeeRates, Market } from '../../bot/domain/market.ts';
import type { Micros } from '../../bot/domain/numbers.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import type { RecordingHeader } from '../../bot/run/state/turn-recording.ts';
import { totalsOf } from '../../bot/world/position/accounting.ts';
import type { QueueModel } from '../../embedded/exchange/recorded/queue.ts';
import { agreementOf, match, type ParityMatch } from './match.ts';
import type { OwnRecord } from './own-orders.ts';
import { OwnReader } from './own-reader.ts';
import { playPaperTape } from './paper-play.ts';
import { type ParityPlayOptions, playAsBacktest, whyIncomparable } from './play.ts';
import { type CauseName, causesOf, type Money, moneyOf } from './pnl-causes.ts';
import { differencesOf, type ParityDifference, REASONS, type ReasonKind } from './reasons.ts';
import { type RecordedProcess, type RecordedRun, turnsOf } from './recorded-run.ts';
import { changesSince, strategyOf } from './replay.ts';
import { marketsOf, renumbered } from './turn-markets.ts';

/** A process of the run and its backtest. */
export interface PlayedProcess {
  readonly header: RecordingHeader;
  readonly markets: readonly Market[];
  readonly run: OwnRecord;
  readonly backtest: OwnRecord;
  readonly match: ParityMatch;
  readonly differences: readonly ParityDifference[];
  readonly causes: ReadonlyMap<CauseName, Micros>;
  readonly money: { readonly run: Money; readonly backtest: Money };
  /** The SHA-256 of all actions of the backtest. */
  readonly fingerprint: string;
}

/** The agreement of a queue model, on a tape without evidence from the run's own orders. */
export interface QueueFit {
  readonly queue: QueueModel;
  readonly agreement: number;
}

/** One-way latency of requests: half of the round trip. */
export interface OneWayLatency {
  readonly median: Millis;
  readonly p99: Millis;
}

export interface Parity {
  readonly processes: readonly PlayedProcess[];
  readonly agreement: number;
  readonly reasons: readonly { readonly kind: ReasonKind; readonly count: number; readonly orders: number }[];
  readonly latency: OneWayLatency;
  /** Best first. */
  readonly queues: readonly QueueFit[];
}

export interface ParityOptions {
  /** A strategy to use instead of the recorded one. */
  readonly strategy?: string | undefined;
  /** True if the run traded on the embedded exchange, whose fee brackets then apply. */
  readonly embedded: boolean;
  /** The state directory of a paper run, whose tape is played; undefined for other runs. */
  readonly paper?: string | undefined;
  /** The queue models to compare; default `QUEUES`. */
  readonly queues?: readonly QueueModel[] | undefined;
}

/** The queue models compared by default. */
const QUEUES: readonly QueueModel[] = [
  { kind: 'conservative' },
  { kind: 'probabilistic', power: 3 },
  { kind: 'probabilistic', power: 2 },
  { kind: 'probabilistic', power: 1 },
];

/** Plays all processes of a run again. A process that cannot be compared is omitted and reported in `damage`. */
export async function parityOf(run: RecordedRun, options: ParityOptions): Promise<Parity> {
  const processes: PlayedProcess[] = [];
  const fits = new Map<QueueModel, ParityMatch['fills'][]>((options.queues ?? QUEUES).map((queue) => [queue, []]));
  for (const process of run.processes) {
    const job = await prepare(process, run, options);
    if (job === undefined) continue;
    processes.push(await comparedProcess(job, run.processes.length === 1 ? options.paper : undefined));
    for (const [queue, fills] of fits) fills.push((await compareWithBacktest(job, { queue, evidence: false })).match.fills);
  }
  const queues = [...fits].map(([queue, fills]) => ({ queue, agreement: agreementOf(concatFills(fills)) }));
  return {
    processes,
    agreement: agreementOf(concatFills(processes.map((one) => one.match.fills))),
    reasons: reasonsIn(processes.flatMap(({ differences }) => differences)),
    latency: latencyOf(processes.map((one) => one.run)),
    queues: queues.toSorted((a, b) => b.agreement - a.agreement),
  };
}

interface Job extends Pick<ParityPlayOptions, 'header' | 'strategy' | 'turns' | 'record' | 'start'> {
  readonly markets: readonly Market[];
  readonly fees: FeeRates | undefined;
}

/** Returns undefined if the process cannot be compared. */
async function prepare(process: RecordedProcess, run: RecordedRun, { strategy, embedded, paper }: ParityOptions): Promise<Job | undefined> {
  const { header, name } = process;
  const markets = marketsOf(header.markets);
  const renumber = renumbered(header.markets);
  const turns = async function* (damage: string[] = []): AsyncGenerator<Turn, void> {
    for await (const turn of turnsOf(process, { ...run, damage })) yield renumber(turn);
  };
  const reader = new OwnReader({
    paper: paper !== undefined,
    before: totalsOf(
      header.history,
      header.markets.map((spec) => new Market(spec)),
    ),
  });
  for await (const turn of turns(run.damage)) reader.read(turn);
  const record = reader.collected();
  const { start } = record;
  const reason = whyIncomparable(header, start);
  if (reason !== undefined) run.damage.push(`the process of ${name} ${reason}, so it is left out`);
  else if (start !== undefined) {
    const loaded = await strategyOf(header, strategy);
    for (const change of changesSince(header, loaded, strategy))
      run.damage.push(`changed since the run, which may be why it differs: ${change}`);
    return {
      header,
      strategy: loaded,
      turns,
      record,
      markets,
      start,
      fees: embedded ? undefined : feesOf(start),
    };
  }
  return undefined;
}

function feesOf({ fees, feeRate }: Account): FeeRates | undefined {
  const { maker = feeRate, taker = feeRate } = fees ?? {};
  return maker === undefined || taker === undefined ? undefined : { makerPpm: Math.round(maker * 1e6), takerPpm: Math.round(taker * 1e6) };
}

async function compareWithBacktest(job: Job, { queue, evidence }: { queue: QueueModel; evidence: boolean }) {
  const reader = new OwnReader();
  const { trading, actionArrivals } = await playAsBacktest({ ...job, queue, evidence, watch: (turn) => reader.read(turn) });
  const backtest = reader.collected(actionArrivals);
  return { backtest, match: match(job.record, backtest), fingerprint: trading.run.fingerprint() };
}

/** Compares one process with its backtest. `paper` is the state directory, if the run had a paper account and one process. */
async function comparedProcess(job: Job, paper: string | undefined): Promise<PlayedProcess> {
  const { header, markets, record: run } = job;
  const taped = paper === undefined ? undefined : await playPaperTape({ ...job, directory: paper });
  const compared =
    taped === undefined
      ? await compareWithBacktest(job, { queue: { kind: 'conservative' }, evidence: true })
      : { ...taped, match: match(run, taped.backtest) };
  const { backtest } = compared;
  const differences = differencesOf(compared.match, { run, backtest });
  const causes = causesOf(compared.match, differences, { run, backtest, markets });
  const money = { run: moneyOf(run, markets), backtest: moneyOf(backtest, markets) };
  return { header, markets, run, differences, causes, money, ...compared };
}

const concatFills = (all: readonly ParityMatch['fills'][]): ParityMatch['fills'] => ({
  both: all.flatMap(({ both }) => both),
  onlyRun: all.flatMap(({ onlyRun }) => onlyRun),
  onlyBacktest: all.flatMap(({ onlyBacktest }) => onlyBacktest),
});

/** Returns the reasons that occur, most fills first. */
function reasonsIn(differences: readonly ParityDifference[]): Parity['reasons'] {
  return REASONS.map((kind) => {
    const found = differences.filter(({ reason }) => reason === kind);
    const fills = found.filter((difference) => difference.kind === 'fill').length;
    return { kind, count: fills, orders: found.length - fills };
  })
    .filter(({ count, orders }) => count + orders > 0)
    .toSorted((a, b) => b.count - a.count || b.orders - a.orders);
}

/** Returns the one-way latency of orders, from the turn to the exchange. */
function latencyOf(runs: readonly OwnRecord[]): OneWayLatency {
  const spans = runs
    .flatMap(({ orders }) => [...orders.values()])
    .flatMap(({ sentAt, answeredAt }) => (answeredAt === undefined ? [] : [(answeredAt - sentAt) / 2]))
    .toSorted((a, b) => a - b);
  const at = (share: number): Millis => spans[Math.min(spans.length - 1, Math.floor(share * spans.length))] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}
