// The rows about the whole run at the top of the live view: its name and mode, why it trades less, money, margins, the age of the data. A narrow
// terminal gets shorter rows of the same.
import type { Millis } from '../../base/clock.ts';
import { minutesText } from '../../base/text/duration.ts';
import { reasonsOf, wantedWords } from '../../bot/run/state/reasons.ts';
import { secondsText } from '../output/words.ts';
import {
  bar,
  firstFitting,
  fitted,
  fittingParts,
  joined,
  type Piece,
  piece,
  type StyledRow,
  signTone,
  sparkline,
  type Tone,
  widthOf,
  wrapped,
} from './styled-rows.ts';
import type { ViewModel } from './view-model.ts';

/** Minimum width of the full rows, and of the order book beside our orders. */
export const WIDE = 79;
/** Minimum height to show the profit on its own line. */
const TALL = 30;
/** Width of the label column. */
const LABEL = 12;

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

export function runRows(model: ViewModel, size: FrameSize): StyledRow[] {
  const { width } = size;
  if (width < WIDE) return narrowRows(model, width);
  return [title(model, width), ...pageRow(model, width), ...wrapped(reason(model), width, 2), ...account(model, size), []];
}

/** The link of the page; without the room for all of it, it would be of no use. */
export function pageRow({ link }: ViewModel, width: number): StyledRow[] {
  const row = link === undefined ? undefined : [piece(`page ${link}`, 'dim')];
  return row === undefined || widthOf(row) > width ? [] : [row];
}

/** Rows of at least 39 columns, the most important first. */
function narrowRows(model: ViewModel, width: number): StyledRow[] {
  const { equity, pnl, today, shares } = model.status;
  const money: readonly StyledRow[] = [
    [piece('equity '), ...equityPieces(equity)],
    [piece('profit '), piece(cents(pnl), signTone(pnl))],
    [piece('today '), piece(cents(today))],
  ];
  const margins = marginsOf(shares, ['open', 'maintenance', 'cancel']).map(
    ({ name, share }): StyledRow => [piece(`${name} `, 'dim'), piece(percent(share), dangerTone(share))],
  );
  return [
    title(model, width),
    ...wrapped(reason(model), width, 2),
    fittingParts(money, width),
    margins.length === 0 ? UNSEEN_MARGINS : firstFitting([joined([[piece('margins')], ...margins]), fittingParts(margins, width)], width),
    fittingParts([...agesOf(model, ['info']), ...watchdog(model), ...session(model)], width),
  ];
}

/** Name and mode, with less and less of them until they fit. */
function title(model: ViewModel, width: number): StyledRow {
  const { strategy, exchange, run } = model.title;
  const name: StyledRow = [...(model.live ? [piece('REAL MONEY  ', 'bad')] : []), piece(strategy, 'bold')];
  const where: StyledRow = [...name, piece(` on ${exchange}`, 'bold')];
  const state = (isShort: boolean): StyledRow => [stateOf(model, isShort), piece(` ${elapsedText(model.elapsedMs)}`)];
  const sides: readonly (readonly [StyledRow, StyledRow])[] = [
    [[...where, piece(`  ${run}`, 'dim')], state(false)],
    [where, state(false)],
    [where, state(true)],
  ];
  const [left, right] = sides.find((both) => widthOf(both.flat()) < width) ?? [name, state(true)];
  return [...fitted(left, Math.max(0, width - widthOf(right) - 1)), piece(' '), ...right];
}

function stateOf({ status: { stopping, mode, accountAsked }, held }: ViewModel, isShort: boolean): Piece {
  if (stopping !== undefined) return piece('stopping', 'warn');
  if (mode !== 'active') return piece(mode, 'bad');
  if (accountAsked === undefined) return piece('waiting for data', 'warn');
  if (held.length === 0) return piece('trading', 'good');
  return piece(isShort ? 'held back' : 'trading, something is held back', 'warn');
}

/** The most important reason for trading less or not at all; without one, the strategy's intents. */
function reason({ status: { accountAsked, intents, ...status }, held }: ViewModel): Piece {
  const [first, ...more] = reasonsOf({ ...status, held });
  if (first?.what === 'stopping') return piece(`${first.text}; cancelling all orders, Ctrl-C again ends at once`, 'warn');
  if (first !== undefined) {
    const tone = first.what === 'mode' || first.what === 'stream' ? 'bad' : 'warn';
    return piece(`${first.text}${more.length === 0 ? '' : ` (and ${more.length} more)`}`, tone);
  }
  if (accountAsked === undefined) return piece('the account was not seen yet', 'warn');
  return piece(`nothing is held back; ${wantedWords(intents)}`, 'dim');
}

/** Returns for example `01:02:03`. */
function elapsedText(span: Millis): string {
  const seconds = Math.floor(span / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Rows with the money, the profit as a curve, the margins, and the age of the data. */
function account(model: ViewModel, { width, height }: FrameSize): StyledRow[] {
  const { profits, status } = model;
  const { equity, pnl, today, trading, fees, funding, drawdown } = status;
  const sums: StyledRow = [piece(label('equity')), ...equityPieces(equity), piece('   profit '), piece(cents(pnl), signTone(pnl))];
  const parts = ` (trading ${cents(trading)}, fees ${cents(-Number(fees))}, funding ${cents(funding)})`;
  const more = [`   today ${cents(today)}`, `   drawdown ${cents(drawdown)}`] as const;
  const money = firstFitting(
    [`${parts}${more[0]}${more[1]}`, `${more[0]}${more[1]}`, more[0]].map((text): StyledRow => [...sums, piece(text, 'dim')]),
    width,
  );
  const rest = [...session(model), ...watchdog(model)];
  const data = [agesOf(model), agesOf(model, ['info'])].map((ages): StyledRow => [piece(label('data')), ...joined([...ages, ...rest])]);
  const curve = height < TALL || profits.length < 2 ? [] : [[piece(label('profit'), 'dim'), piece(sparkline(profits, width - LABEL))]];
  return [money, ...curve, margins(model, width), firstFitting(data, width)];
}

const equityPieces = (equity: string | undefined): StyledRow => [
  piece(equity === undefined ? 'not seen yet' : cents(equity), equity === undefined ? 'warn' : 'bold'),
];

type Shares = ViewModel['status']['shares'];
type Limit = keyof NonNullable<Shares>;
const LIMITS: Readonly<Record<Limit, string>> = { open: 'refusal', cancel: 'cancelling', maintenance: 'liquidation' };

/** Returns how much of these limits is used; of a limit that the exchange does not have, nothing. */
const marginsOf = (shares: Shares, limits: readonly Limit[]): readonly { readonly name: string; readonly share: number }[] =>
  limits.flatMap((limit) => {
    const share = shares?.[limit];
    return share === undefined ? [] : [{ name: LIMITS[limit], share }];
  });

const UNSEEN_MARGINS: StyledRow = [piece('margins '), piece('not seen yet', 'warn')];

/** One row: how much of each margin limit is used. */
function margins({ status: { shares } }: ViewModel, width: number): StyledRow {
  const barWidth = Math.max(4, Math.min(16, Math.floor((width - 66) / 3)));
  const parts = marginsOf(shares, ['open', 'cancel', 'maintenance']).flatMap(({ name, share }): Piece[] => [
    piece(`${name} `, 'dim'),
    piece(bar(share, barWidth), dangerTone(share)),
    piece(` ${percent(share)}  `),
  ]);
  return [piece(label('margins')), ...(parts.length === 0 ? [piece('not seen yet', 'warn')] : parts)];
}

/** Returns the ages of the data, a part each. */
const agesOf = ({ ages }: ViewModel, without: readonly string[] = []): readonly StyledRow[] =>
  ages
    .filter(({ stream }) => !without.includes(stream))
    .map(({ stream, ageMs }) => [piece(`${stream} `, 'dim'), piece(ageMs === undefined ? '-' : secondsText(ageMs))]);

/** The time left of the session. Nothing for a run without real money that has none, such as a paper run, which signs nothing. */
function session({ live, status: { session: open } }: ViewModel): readonly StyledRow[] {
  if (open === undefined && !live) return [];
  const left = open === undefined ? 'none yet' : minutesText(Math.max(0, open.expires - open.now) * 1_000);
  return [[piece('session ', 'dim'), piece(left)]];
}

function watchdog({ status: { watchdog: state } }: ViewModel): readonly StyledRow[] {
  if (state === undefined || state === 'none') return [];
  return [[piece('watchdog ', 'dim'), piece(state, state === 'ok' ? 'plain' : 'bad')]];
}

/** Money with two decimals, and no minus before a zero. */
export const cents = (amount: string | number): string =>
  Number(amount)
    .toFixed(2)
    .replace(/^-(?=0\.00$)/, '');
const label = (text: string): string => text.padEnd(LABEL);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const dangerTone = (share: number): Tone => (share < 0.5 ? 'good' : share < 0.8 ? 'warn' : 'bad');
