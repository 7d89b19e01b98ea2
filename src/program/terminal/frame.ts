// Lays out the live view of a run as rows of text. `market-rows.ts` lays out one market; `view-model-of-run.ts` collects the data.
import type { Millis } from '../../base/clock.ts';
import { COMMAND } from '../../base/package.ts';
import { minutesText } from '../../base/text/duration.ts';
import { firstOfEach, heldBy, reasonsOf, wantedWords } from '../../bot/run/state/reasons.ts';
import { fillsWords, secondsText } from '../output/words.ts';
import { marketRows } from './market-rows.ts';
import {
  bar,
  type Colours,
  firstFitting,
  fitted,
  joinColumns,
  type Piece,
  painted,
  piece,
  type StyledRow,
  signTone,
  sparkline,
  type Tone,
  widthOf,
} from './styled-rows.ts';
import type { EventLine, ViewModel } from './view-model.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Minimum width to show the latest events to the right of the markets. */
const VERY_WIDE = 150;
/** Width of the markets on such a screen. */
const MARKETS_WIDTH = 104;
/** Minimum height to show the profit on its own line. */
const TALL = 30;
/** Rows reserved for the latest events below the markets. */
const EVENT_ROWS = 5;
/** Maximum useful height of a market. */
const FULL_MARKET = 26;
/** Width of the label column. */
const LABEL = 12;
const BLANK: StyledRow = [];

/** Returns the view as text: at most `height` lines, each of exactly `width` columns, not counting the codes of colours. */
export const frame = (model: ViewModel, size: FrameSize, colours: Colours): string =>
  frameRows(model, size)
    .map((row) => painted(row, colours))
    .join('\n');

/** Returns the same view as rows with tones instead of colours. */
export function frameRows(model: ViewModel, size: FrameSize): StyledRow[] {
  const { width, height } = size;
  const top = [...header(model, width), ...account(model, size), BLANK];
  const room = { width, height: height - top.length - 1 };
  const body = width >= VERY_WIDE ? sideBySide(model, room) : stacked(model, room);
  return [...[...top, ...body].slice(0, height - 1), hints(width)].slice(-height).map((row) => fitted(row, width));
}

function stacked(model: ViewModel, { width, height }: FrameSize): StyledRow[] {
  const rows = marketsRows(model, { width, height: height - EVENT_ROWS });
  return [...rows, ...eventRows(model, height - rows.length)];
}

function sideBySide(model: ViewModel, { width, height }: FrameSize): StyledRow[] {
  const markets = marketsRows(model, { width: MARKETS_WIDTH - 2, height });
  return joinColumns(markets, eventRows(model, height), { width, leftWidth: MARKETS_WIDTH });
}

function marketsRows(model: ViewModel, { width, height }: FrameSize): StyledRow[] {
  const each = Math.min(FULL_MARKET, Math.floor(height / Math.max(1, model.markets.length)));
  return model.markets.flatMap((market) => marketRows(market, model, { width, height: each }));
}

/** Rows with the name, the mode, the link of the page, and the reason for trading less or not at all. */
function header(model: ViewModel, width: number): StyledRow[] {
  const { title, live, elapsedMs, link } = model;
  const left: StyledRow = [
    ...(live ? [piece('REAL MONEY  ', 'bad')] : []),
    piece(`${title.strategy} on ${title.exchange}`, 'bold'),
    piece(`  ${title.run}`, 'dim'),
  ];
  const right: StyledRow = [stateOf(model), piece(` ${clockText(elapsedMs)}`)];
  const page: StyledRow[] = link === undefined ? [] : [[piece(`page ${link}`, 'dim')]];
  return [[...fitted(left, Math.max(0, width - widthOf(right) - 1)), piece(' '), ...right], ...page, reason(model)];
}

function stateOf({ status: { stopping, mode, accountAsked }, held }: ViewModel): Piece {
  if (stopping !== undefined) return piece('stopping', 'warn');
  if (mode !== 'active') return piece(mode, 'bad');
  if (accountAsked === undefined) return piece('waiting for data', 'warn');
  return held.length === 0 ? piece('trading', 'good') : piece('trading, something is held back', 'warn');
}

/** One row: the most important reason for trading less or not at all; without one, the strategy's intents. */
function reason({ status: { accountAsked, intents, ...status }, held }: ViewModel): StyledRow {
  const [first, ...more] = reasonsOf({ ...status, held });
  if (first?.what === 'stopping') return [piece(`${first.text}; cancelling all orders, Ctrl-C again ends at once`, 'warn')];
  if (first !== undefined) {
    const tone = first.what === 'mode' || first.what === 'stream' ? 'bad' : 'warn';
    return [piece(`${first.text}${more.length === 0 ? '' : ` (and ${more.length} more)`}`, tone)];
  }
  if (accountAsked === undefined) return [piece('the account was not seen yet', 'warn')];
  return [piece(`nothing is held back; ${wantedWords(intents)}`, 'dim')];
}

/** Returns for example `01:02:03`. */
function clockText(span: Millis): string {
  const seconds = Math.floor(span / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Rows with the money, the profit as a curve, the margins, and the age of the data. */
function account(model: ViewModel, { width, height }: FrameSize): StyledRow[] {
  const { profits, status, ages } = model;
  const { equity, pnl, today, trading, fees, funding, drawdown } = status;
  const sums: StyledRow = [
    piece(label('equity')),
    piece(equity === undefined ? 'not seen yet' : cents(equity), equity === undefined ? 'warn' : 'bold'),
    piece('   profit '),
    piece(cents(pnl), signTone(pnl)),
  ];
  const parts = ` (trading ${cents(trading)}, fees ${cents(-Number(fees))}, funding ${cents(funding)})`;
  const more = [`   today ${cents(today)}`, `   drawdown ${cents(drawdown)}`] as const;
  const money = firstFitting(
    [`${parts}${more[0]}${more[1]}`, `${more[0]}${more[1]}`, more[0]].map((text): StyledRow => [...sums, piece(text, 'dim')]),
    width,
  );
  const data: StyledRow = [
    piece(label('data')),
    ...ages.flatMap(({ stream, ageMs }) => [piece(`${stream} `, 'dim'), piece(`${ageMs === undefined ? '-' : secondsText(ageMs)}  `)]),
    ...sessionRow(model),
    ...watchdog(model),
  ];
  const curve = height < TALL || profits.length < 2 ? [] : [[piece(label('profit'), 'dim'), piece(sparkline(profits, width - LABEL))]];
  return [money, ...curve, margins(model, width), data];
}

/** One row: how much of each margin limit is used. */
function margins({ status: { shares } }: ViewModel, width: number): StyledRow {
  const lines = [
    ['refusal', shares?.open],
    ['cancelling', shares?.cancel],
    ['liquidation', shares?.maintenance],
  ] as const;
  const barWidth = Math.max(4, Math.min(16, Math.floor((width - 66) / 3)));
  const parts = lines.flatMap(([name, share]): Piece[] =>
    share === undefined
      ? []
      : [piece(`${name} `, 'dim'), piece(bar(share, barWidth), dangerTone(share)), piece(` ${Math.round(share * 100)} %  `)],
  );
  return [piece(label('margins')), ...(parts.length === 0 ? [piece('not seen yet', 'warn')] : parts)];
}

/** The time left of the session. Empty for a run without real money that has none, such as a paper run, which signs nothing. */
function sessionRow({ live, status: { session } }: ViewModel): StyledRow {
  if (session === undefined && !live) return [];
  const left = session === undefined ? 'none yet' : minutesText(Math.max(0, session.expires - session.now) * 1_000);
  return [piece('session ', 'dim'), piece(left)];
}

function watchdog({ status: { watchdog: state } }: ViewModel): StyledRow {
  if (state === undefined || state === 'none') return [];
  return [piece('  watchdog ', 'dim'), piece(state, state === 'ok' ? 'plain' : 'bad')];
}

/** Money with two decimals, and no minus before a zero. */
const cents = (amount: string | number): string =>
  Number(amount)
    .toFixed(2)
    .replace(/^-(?=0\.00$)/, '');
const label = (text: string): string => text.padEnd(LABEL);
const dangerTone = (share: number): Tone => (share < 0.5 ? 'good' : share < 0.8 ? 'warn' : 'bad');

/** Returns the latest events below or beside the markets: divides the `room` rows among alarms, findings, the strategy's log, fills and order changes. */
function eventRows({ alarms, held, fills, changes, logs, status }: ViewModel, room: number): StyledRow[] {
  const findings = firstOfEach(held).map((finding) => ({ at: finding.since, text: `${heldBy(finding)}: ${finding.reason}` }));
  const sections = [
    { name: 'last alarms', items: alarms, tone: 'bad' as const },
    { name: 'held back now', items: findings },
    { name: 'log', items: logs },
    { name: `last of ${fillsWords(status)}, volume ${cents(status.volume)}`, items: fills },
    { name: `last orders, of ${status.placed} placed and ${status.rejected} rejected`, items: changes },
  ].filter(({ items }) => items.length > 0);
  const rows: StyledRow[] = [];
  for (const [index, { name, items, tone }] of sections.entries()) {
    const most = Math.max(1, Math.floor((room - rows.length) / (sections.length - index)) - 1);
    rows.push([piece(name, tone ?? 'dim')], ...items.slice(-most).map((item) => eventRow(item, tone)));
  }
  return rows.slice(0, Math.max(0, room));
}

const eventRow = ({ at, text }: EventLine, tone: Tone = 'plain'): StyledRow => [piece(`  ${at.slice(11, 19)} `, 'dim'), piece(text, tone)];

function hints(width: number): StyledRow {
  const end: StyledRow = [piece('Ctrl-C', 'bold'), piece(' cancels all orders and ends   ', 'dim'), piece(`${COMMAND} why last`, 'bold')];
  const rest = [' explains an order; so does why with its number or price', ' explains the last order', ''];
  return firstFitting(
    rest.map((text): StyledRow => [...end, piece(text, 'dim')]),
    width,
  );
}
