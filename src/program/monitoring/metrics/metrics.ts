// The metrics of a run as Prometheus text. Names follow prometheus.io/docs/practices/naming: base units, `_total` for counters, few label values.
// Labels never contain prices or order ids.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Clock, type Millis, SECOND } from '../../../base/clock.ts';
import { packageVersion } from '../../../base/package.ts';
import { orderStatusWords } from '../../../bot/accounting/lines.ts';
import type { Event } from '../../../bot/domain/event.ts';
import { MODES } from '../../../bot/domain/mode.ts';
import { MICROS_PER_UNIT } from '../../../bot/domain/numbers.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import { marginShares } from '../margins.ts';
import type { RunWatch } from '../watch.ts';
import { fillEdgesIn } from './fill-edges.ts';
import { orderTimesIn } from './order-times.ts';

export const PREFIX = 'tickwright_';
/** Buckets of the histograms of work in this process, in seconds. */
const SHORT = [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1];
/** Buckets of the histogram of answers from the exchange, in seconds. */
const LONG = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export interface Metrics {
  /** Call it with each turn, after the watch was updated. */
  add(turn: Turn): void;
  /** Runs the work and records how long it took. */
  timed<Result>(what: 'turn' | 'journal', work: () => Result): Result;
  /** Resolves with the current metrics in the Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Gauges of prom-client with names that end in `_total`, as only counters should. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export interface MetricsOptions {
  readonly clock: Clock;
  /** Undefined until the run trades. */
  readonly watch: () => RunWatch | undefined;
  /** The label `run` of every series, if the process has several runs; series of the process are then omitted. */
  readonly run?: string | undefined;
}

/** Returns the metrics of one run, with those of the process unless `run` is given. */
export function metricsOf({ clock, watch, run }: MetricsOptions): Metrics {
  const registry = new Registry();
  if (run === undefined) addProcessMetrics(registry);
  else registry.setDefaultLabels({ run });
  const common = { registers: [registry] };
  const counters = countersIn(registry);
  const orderTimes = orderTimesIn(registry, PREFIX);
  const fillEdges = fillEdgesIn(registry, PREFIX);
  gaugesIn(registry, { clock, watch });
  const turnSeconds = new Histogram({
    ...common,
    name: `${PREFIX}turn_seconds`,
    help: 'Time of one turn, from events to actions',
    buckets: SHORT,
  });
  const journalSeconds = new Histogram({
    ...common,
    name: `${PREFIX}journal_write_seconds`,
    help: 'Time of one durable write of the journal',
    buckets: SHORT,
  });
  const histograms = { turn: turnSeconds, journal: journalSeconds };
  return {
    add(turn) {
      counters.add(turn);
      const run = watch();
      orderTimes(turn, run?.exchangeClock);
      if (run !== undefined) fillEdges(turn, run);
    },
    timed(what, work) {
      const began = performance.now();
      try {
        return work();
      } finally {
        histograms[what].observe((performance.now() - began) / SECOND);
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Adds the series of the process: memory, processor time, lag of the event loop. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  for (const name of MISNAMED) registry.removeSingleMetric(`${PREFIX}${name}`);
}

/** Creates the counters, which count from the start of this process. */
function countersIn(registry: Registry): { add(turn: Turn): void } {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> =>
    new Counter({ name: `${PREFIX}${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const turns = counter('turns_total', 'Turns');
  const orders = counter('orders_total', 'Changes of orders, by their new status', ['status']);
  const actions = counter('actions_total', 'Actions sent, by kind', ['kind']);
  const fills = counter('fills_total', 'Fills, by role', ['role']);
  const findings = counter('findings_total', 'Findings of guards and gates', ['guard', 'verdict']);
  const alarms = counter('alarms_total', 'Alarms', ['alarm']);
  const answers = new Histogram({
    name: `${PREFIX}answer_seconds`,
    help: 'Time from request to answer, by kind of request',
    labelNames: ['of'],
    buckets: LONG,
    registers: [registry],
  });
  return {
    add(turn) {
      turns.inc();
      for (const change of turn.changes) orders.inc({ status: orderStatusWords(change) });
      for (const { kind } of turn.actions) actions.inc({ kind });
      for (const { role } of turn.fills) fills.inc({ role });
      for (const { guard, verdict } of turn.findings) findings.inc({ guard, verdict });
      for (const { name } of turn.alarms) alarms.inc({ alarm: name });
      for (const event of turn.events) {
        const of = ANSWERS[event.kind];
        if (of !== undefined && 'asked' in event) answers.observe({ of }, (event.at - event.asked) / SECOND);
      }
    },
  };
}

/** The label `of` of an answer, by the kind of its event. */
const ANSWERS: Readonly<Partial<Record<Event['kind'], string>>> = {
  bookSeen: 'book',
  infoSeen: 'info',
  accountSeen: 'account',
};

interface GaugeText<Label> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
}

/** Reads the values of a gauge from a run, and calls `set` for each combination of labels. */
type Collect<Label extends string> = (set: (value: number, labels?: Record<Label, string>) => void, run: RunWatch) => void;

type AddGauge = <Label extends string>(text: GaugeText<Label>, collect: Collect<Label>) => void;

/** Creates the gauges, which are read from the watch at each request. */
function gaugesIn(registry: Registry, { clock, watch }: Pick<MetricsOptions, 'clock' | 'watch'>): void {
  const gauge: AddGauge = <Label extends string>({ name, help, labelNames = [] }: GaugeText<Label>, collect: Collect<Label>): void => {
    const made: Gauge<Label> = new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        const run = watch();
        made.reset();
        if (labelNames.length === 0) made.remove(); // otherwise it would show 0
        if (run !== undefined) collect((value, labels) => (labels === undefined ? made.set(value) : made.set(labels, value)), run);
      },
    });
  };
  stateGauges(gauge, clock);
  moneyGauges(gauge);
}

/** The labels of the gauge `info`. */
const INFO = ['run', 'strategy', 'exchange', 'live', 'version', 'state', 'account', 'public_key', 'url', 'money'] as const;

const ageOf = ({ asked }: { readonly asked: Millis }, now: Millis): number => Math.max(0, now - asked) / SECOND;

function stateGauges(gauge: AddGauge, clock: Clock): void {
  gauge({ name: 'info', help: 'The run', labelNames: INFO }, (set, { facts, identity }) => {
    const { run, strategy, exchange, live } = facts;
    const { state = '', account = '', publicKey: public_key = '', url = '', money = '' } = identity ?? {};
    const own = { state, account: String(account), public_key, url, money };
    set(1, { run, strategy, exchange, live: String(live), version: packageVersion(), ...own });
  });
  gauge({ name: 'start_time_seconds', help: 'When the run started, Unix time' }, (set, { facts }) => set(facts.startedAt / SECOND));
  gauge({ name: 'mode', help: '1 for the mode of the run', labelNames: ['mode'] }, (set, run) => {
    for (const mode of MODES) set(mode === run.mode ? 1 : 0, { mode });
  });
  gauge({ name: 'stopping', help: '1 while the run stops' }, (set, run) => set(run.stopping === undefined ? 0 : 1));
  gauge(
    { name: 'data_age_seconds', help: 'Age of the newest data, counted from the request', labelNames: ['of', 'market'] },
    (set, run) => {
      const now = clock.now();
      for (const { market, book, info } of run.markets.values()) {
        if (book !== undefined) set(ageOf(book, now), { of: 'book', market: market.symbol });
        if (info !== undefined) set(ageOf(info, now), { of: 'info', market: market.symbol });
      }
      if (run.account !== undefined) set(ageOf(run.account, now), { of: 'account', market: '' });
    },
  );
  gauge({ name: 'unhealthy_streams', help: 'Streams that deliver no data' }, (set, run) => set([...run.unhealthy].length));
  gauge({ name: 'held', help: '1 while a guard or gate holds something back', labelNames: ['guard'] }, (set, run) => {
    for (const { guard } of run.findings) set(1, { guard });
  });
  gauge({ name: 'open_orders', help: 'Orders that are, or may be, at the exchange', labelNames: ['status'] }, (set, run) => {
    for (const status of ['pending', 'open', 'cancelling', 'unknown'] as const) set(run.orders.with(status).length, { status });
  });
}

const units = (micros: number): number => micros / MICROS_PER_UNIT;

function moneyGauges(gauge: AddGauge): void {
  gauge(
    { name: 'equity', help: 'Margin balance of the account (mf) as the exchange counts it, some at the index price, quote tokens' },
    (set, { account }) => {
      if (account !== undefined) set(units(account.value.margins.mf));
    },
  );
  gauge({ name: 'pnl', help: 'Profit of the run after fees, with funding, positions at the mark price, quote tokens' }, (set, run) =>
    set(units(run.totals.profit)),
  );
  gauge(
    {
      name: 'realised_pnl',
      help: 'Profit of closed parts of positions against their average entry, before fees and funding, quote tokens',
    },
    (set, { totals: { realised } }) => {
      if (realised !== undefined) set(units(realised));
    },
  );
  gauge(
    { name: 'unrealised_pnl', help: 'Profit of the open positions, with their funding, as the exchange reports it' },
    (set, { account }) => {
      if (account === undefined) return;
      set(units(account.value.positions.reduce((sum, { tradingPnl, fundingPaymentPnl }) => sum + tradingPnl + fundingPaymentPnl, 0)));
    },
  );
  gauge({ name: 'fees', help: 'Fees of the run, quote tokens; negative if rebates are larger' }, (set, run) => set(units(run.totals.fees)));
  gauge({ name: 'funding', help: 'Funding received by the run, quote tokens' }, (set, run) => set(units(run.totals.funding)));
  gauge({ name: 'traded_notional', help: 'Volume of the fills of the run, quote tokens' }, (set, run) => set(units(run.totals.volume)));
  gauge({ name: 'provisional_fills', help: 'Fills that count with a substitute for an impossible price or fee' }, (set, run) =>
    set(run.totals.provisional),
  );
  gauge({ name: 'drawdown', help: 'Maximum drawdown of the profit, quote tokens' }, (set, run) => set(units(run.equity.drawdown)));
  gauge({ name: 'position', help: 'Position, base tokens', labelNames: ['market'] }, (set, { markets, account }) => {
    for (const { market } of markets.values()) {
      const held = account?.value.positions.find((position) => position.market === market.id)?.size ?? 0;
      set(market.size(held as Parameters<typeof market.size>[0]), { market: market.symbol });
    }
  });
  gauge(
    { name: 'margin_share', help: 'Required margin / available margin; at 1 the limit is reached', labelNames: ['line'] },
    (set, { account }) => {
      if (account === undefined) return;
      const { open, cancel, maintenance } = marginShares(account.value.margins);
      set(open, { line: 'open' });
      if (cancel !== undefined) set(cancel, { line: 'cancel' });
      set(maintenance, { line: 'maintenance' });
    },
  );
}
