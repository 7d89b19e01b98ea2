// The state that the page shows, as signals: loaded once, then updated by each event.
import { computed, signal } from '@preact/signals';
import type { PageBook, PageEvent, PageHeld, PageLine, PageOrder, PageReplay, PageState, PageStatus } from '../../contract.ts';
import { FailedRequest, getState, openStream } from './server.ts';

const KEPT_LINES = 400;
const KEPT_POINTS = 4_000;

/** The parts of a state that never change. */
export type PageFacts = Pick<
  PageState,
  | 'run'
  | 'strategy'
  | 'exchange'
  | 'live'
  | 'seed'
  | 'startedAt'
  | 'markets'
  | 'params'
  | 'limits'
  | 'control'
  | 'versions'
  | 'delayMs'
  | 'quality'
>;
export type PageCandles = PageState['candles'];

export const facts = signal<PageFacts | undefined>(undefined);
export const status = signal<PageStatus | undefined>(undefined);
export const books = signal<Readonly<Record<string, PageBook>>>({});
export const orders = signal<readonly PageOrder[]>([]);
/** Findings that hold now. */
export const held = signal<readonly PageHeld[]>([]);
export const fills = signal<readonly PageLine[]>([]);
export const lines = signal<readonly PageLine[]>([]);
export const equity = signal<PageState['equity']>([]);
/** Candles at page load; the chart adds later prices. */
export const candles = signal<PageCandles>({});
export const replay = signal<PageReplay | undefined>(undefined);
export const ended = signal(false);
export const isDisconnected = signal(false);
/** Why the state could not be loaded. */
export const problem = signal<FailedRequest | undefined>(undefined);
/** The time of the newest turn. */
export const turnAt = signal(0);
/** The order whose history is shown. */
export const shownOrder = signal<string | undefined>(undefined);
/** The symbol of the market that is shown. */
export const market = signal('');
/** The time of this browser; changes four times a second. */
export const tick = signal(Date.now());
/** Server time minus browser time. */
const clockOffset = signal(0);

/** The server's time now; that of the newest turn in a replay. */
export const now = computed(() => (replay.value === undefined ? tick.value + clockOffset.value : turnAt.value));
/** How long no turn may come before the page says so, and how often the ages on it are counted anew, in milliseconds. */
const SILENCE = 3_000;
const TICK = 250;

/** True if the server does not answer, or if no turn came for a while, though the run has not ended. */
export const isStale = computed(
  () =>
    !ended.value &&
    (isDisconnected.value || (replay.value === undefined && now.value - turnAt.value > SILENCE + (facts.value?.delayMs ?? 0))),
);

/** The current stream connection. */
const connection: { run: string | undefined; close: () => void } = { run: undefined, close: () => undefined };

/** The run that the page shows, as the server names it; undefined if it serves one. */
export const shownRun = (): string | undefined => connection.run;

setInterval(() => {
  tick.value = Date.now();
}, TICK);

/** Loads the state of a run, then follows its events. */
export async function follow(run: string | undefined): Promise<void> {
  connection.run = run;
  connection.close();
  try {
    const state = await getState(run);
    setState(state);
    problem.value = undefined;
    const again = (): void => void follow(run);
    const setDisconnected = (value: boolean): void => {
      isDisconnected.value = value;
    };
    connection.close = openStream(run, state.seq, { event: apply, reset: again, disconnected: setDisconnected });
  } catch (error) {
    problem.value = error instanceof FailedRequest ? error : new FailedRequest(0, String(error));
    if (problem.value.status !== 401 && connection.run === run) setTimeout(() => void follow(run), 1_000);
  }
}

/** Replaces everything that the page shows by a loaded state. */
function setState(state: PageState): void {
  clockOffset.value = state.now - Date.now();
  const { run, strategy, exchange, live, seed, startedAt, markets, params, limits, control, versions, delayMs, quality } = state;
  facts.value = { run, strategy, exchange, live, seed, startedAt, markets, params, limits, control, versions, delayMs, quality };
  status.value = state.status;
  books.value = state.book;
  orders.value = state.orders;
  held.value = state.held;
  fills.value = state.fills;
  lines.value = [...state.lines, ...state.fills].sort(byTime);
  equity.value = withStatus(state.equity, state.status);
  candles.value = state.candles;
  replay.value = state.replay;
  ended.value = state.ended;
  turnAt.value = Date.parse(state.status.at);
  if (!markets.some(({ symbol }) => symbol === market.value)) market.value = markets[0]?.symbol ?? '';
}

function byTime(a: PageLine, b: PageLine): number {
  if (a.at === b.at) return 0;
  return a.at < b.at ? -1 : 1;
}

/** Updates the signals with an event. */
function apply(event: PageEvent): void {
  switch (event.kind) {
    case 'turn':
      turnAt.value = event.at;
      break;
    case 'book':
      books.value = { ...books.value, [event.market]: event };
      break;
    case 'orders':
      orders.value = event.orders;
      break;
    case 'status':
      status.value = event;
      equity.value = withStatus(equity.value, event);
      break;
    case 'held':
      held.value = [...held.value.filter((finding) => !isSame(finding, event)), event];
      break;
    case 'released':
      held.value = held.value.filter((finding) => !isSame(finding, event));
      break;
    case 'replay':
      replay.value = event;
      break;
    case 'end':
      ended.value = true;
      if (facts.value?.delayMs !== undefined) void follow(connection.run); // `bot ui` has its replay now
      break;
    case 'mode':
      if (status.value !== undefined) status.value = { ...status.value, mode: event.mode, modeReason: event.reason };
      break;
    case 'order':
    case 'fill':
    case 'correction':
    case 'unbooked':
    case 'finding':
    case 'alarm':
    case 'log':
      addLine(event);
      break;
    default: // an event of a newer server
  }
}

/** Returns the points of the chart with that of a status, so that the chart ends with the profit that the page shows. */
function withStatus(points: PageState['equity'], { at, equity: worth, pnl }: PageStatus): PageState['equity'] {
  const [time, last] = [Date.parse(at), points.at(-1)];
  return worth === undefined || (last !== undefined && time <= last[0]) ? points : [...points.slice(-KEPT_POINTS), [time, worth, pnl]];
}

function addLine(line: PageLine): void {
  if (line.kind === 'fill') fills.value = [...fills.value.slice(-KEPT_LINES), line];
  const rank = lines.value.findLastIndex(({ at }) => at <= line.at) + 1; // a fill is read later than it happened
  lines.value = lines.value.toSpliced(rank, 0, line).slice(-KEPT_LINES - 1);
}

type HeldKey = Pick<PageHeld, 'guard' | 'market' | 'side' | 'verdict'>;
const isSame = (one: HeldKey, other: HeldKey): boolean =>
  one.guard === other.guard && one.market === other.market && one.side === other.side && one.verdict === other.verdict;
